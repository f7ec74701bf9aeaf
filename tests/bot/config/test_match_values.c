/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/match_values.h"
#include "tests/support/unit.h"

static const char *written_clocks(const char *text, Buf *out)
{
    ClockList list = { 0 };
    buf_reset(out);
    if (!value_list_read(&clocks_kind, &list, text, NULL))
        return "refused";
    assert_true(value_list_write(&clocks_kind, &list, out));
    return buf_view(out);
}

TEST(clocks_read_back_as_they_are_written)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "3+2", "3+2" },
        { "0.5+0, 0.25+1  1.5+0", "0.50+0, 0.25+1, 1.50+0" },
        { "10+0..15+10", "10+0..15+10" },
        { "5+3..5+3", "5+3" },
        { "0+1", "0+1" },
        { "180+180", "180+180" },
        { "3+2, 2 days,1 day 14d", "3+2, 2d, 1d, 14d" },
        { "2", "refused" },
        { "2 weeks", "refused" },
        { "0 days", "refused" },
        { "days", "refused" },
        { "2 daysx", "refused" },
        { "", "refused" },
        { ",", "refused" },
        { "3", "refused" },
        { "+2", "refused" },
        { "3+", "refused" },
        { "3+2+1", "refused" },
        { "-3+2", "refused" },
        { "3+-2", "refused" },
        { "0.01+0", "refused" }, /* no whole second */
        { ".5+0", "refused" },
        { "0.+0", "refused" },
        { "0.125+0", "refused" },
        { "3+2..", "refused" },
        { "..3+2", "refused" },
        { "5+0..3+0", "refused" },
        { "3+2..5+0", "refused" }, /* its increments run backwards */
        { "99999999999+0", "refused" },
        { "3 + 2", "refused" },
    };
    Buf out;
    buf_init(&out, 1000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(written_clocks(rows[i].in, &out), rows[i].out) != 0)
            fail_msg("\"%s\": %s", rows[i].in, written_clocks(rows[i].in, &out));
    buf_release(&out);
}

TEST(a_clock_that_lichess_lacks_is_told_with_the_nearest)
{
    static const struct {
        const char *clocks, *error; /* NULL: all exist */
    } rows[] = {
        { "0.5+0, 0.25+1, 0+1, 0.75+0, 1+0, 1.5+0, 2+1, 3+2, 17+0, 180+60", NULL },
        { "1.25+0", "Lichess has no clock 1.25+0: the nearest are 1+0 and 1.5+0" },
        { "3+2, 2.5+0", "Lichess has no clock 2.5+0: the nearest are 2+0 and 3+0" },
        { "1.75+0", "Lichess has no clock 1.75+0: the nearest are 1.5+0 and 2+0" },
        { "181+0", "Lichess has no clock 181+0: the nearest are 180+0 and 180+0" },
        { "5+61", "Lichess has no increment of 61 s: at most 60" },
        { "0.25+0", "0.25+0 is too fast for bots: the nearest are 0.5+0, 0.25+1 and 0+1" },
        { "2+0..2.5+0", NULL }, /* the lower end counts */
        { "1 day, 2d, 3d, 5d, 7d, 10d, 14d", NULL },
        { "4 days", "Lichess has no 4 days a move: 1, 2, 3, 5, 7, 10 or 14" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ClockList list = { 0 };
        Error err = { 0 };
        assert_true(value_list_read(&clocks_kind, &list, rows[i].clocks, NULL));
        bool exist = clocks_exist(&list, &err);
        if (exist != !rows[i].error || (rows[i].error && strcmp(err.text, rows[i].error) != 0))
            fail_msg("%s: %s", rows[i].clocks, err.text);
    }
}

TEST(a_list_of_clocks_has_an_end)
{
    char text[10 * CLOCKS_MAX] = "";
    size_t len = 0;
    ClockList list = { 0 };
    for (int i = 0; i < CLOCKS_MAX; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%d+0 ", i + 1);
    assert_true(value_list_read(&clocks_kind, &list, text, NULL));
    assert_int_equal(list.at[CLOCKS_MAX - 1].base_lo_s, CLOCKS_MAX * 60);
    snprintf(text + len, sizeof text - len, "1+1");
    list.count = 0;
    assert_false(value_list_read(&clocks_kind, &list, text, NULL));
}

TEST(ranges_may_be_open)
{
    static const struct {
        const char *in;
        int lo, hi; /* -1: refused */
    } rows[] = {
        { "1500..1800", 1500, 1800 }, { "..1800", 0, 1800 },   { "1500..", 1500, 5000 },
        { "1500", 1500, 1500 },       { "..", -1, 0 },         { "", -1, 0 },
        { "1800..1500", -1, 0 },      { "1500..5001", -1, 0 }, { "a..b", -1, 0 },
        { "1500...1800", -1, 0 },     { "-1..", -1, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        IntRange range = { -1, 0 };
        Error err = { 0 };
        bool ok = range_read(&range, rows[i].in, 0, 5000, &err);
        if (ok != (rows[i].lo >= 0) || range.lo != rows[i].lo || range.hi != rows[i].hi)
            fail_msg("\"%s\": %d..%d", rows[i].in, range.lo, range.hi);
    }
}

TEST(positions_are_fens_or_their_beginnings)
{
    static const char knight_odds[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR";
    PositionList list = { .count = 0 };
    Buf out;
    buf_init(&out, 2000);
    assert_true(value_list_read(&positions_kind, &list,
                                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq -, "
                                "8/8/8/4k3/8/8/8/4K3 b - - 0 1",
                                NULL));
    assert_true(value_list_read(&positions_kind, &list, knight_odds, NULL)); /* adds up */
    assert_int_equal(list.count, 3);
    assert_string_equal(list.at[2], knight_odds);
    assert_true(value_list_write(&positions_kind, &list, &out));
    assert_string_equal(buf_view(&out), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq -, "
                                        "8/8/8/4k3/8/8/8/4K3 b - - 0 1, "
                                        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR");
    static const char *const wrong[] = {
        "", " , ", "8/8", "x", "8/8/8/4k3/8/8/8/4K3 w - - 0 1 2", "8/8/8/8/8/8/8/8"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (value_list_read(&positions_kind, &list, wrong[i], NULL))
            fail_msg("\"%s\" was taken", wrong[i]);
    char long_one[300];
    memset(long_one, '8', sizeof long_one);
    long_one[sizeof long_one - 1] = '\0';
    assert_false(value_list_read(&positions_kind, &list, long_one, NULL));
    assert_int_equal(list.count, 3);
    while (list.count < POSITIONS_MAX)
        assert_true(value_list_read(&positions_kind, &list, knight_odds, NULL));
    assert_false(value_list_read(&positions_kind, &list, knight_odds, NULL));
    buf_release(&out);
}
