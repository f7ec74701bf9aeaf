/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/eval_history.h"
#include "tests/unit.h"

#include <limits.h>

static const DrawSettings draw = { .score_cp = 10 };
static const ResignSettings resign = { .score_cp = 1000 };

static void add(Outlook *outlook, uint32_t ply, int score, TableVerdict tables)
{
    Thought thought = { .depth = 5, .score = score, .tables = tables };
    outlook_add(outlook, &thought, ply, &draw, &resign);
}

static void moves_in_a_row_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t ply;
        int score, depth, level, lost;
    } rows[] = {
        { "the first", 11, 0, 5, 1, 0 },
        { "the next", 13, -10, 5, 2, 0 },
        { "one from a book says nothing", 15, 0, 0, 2, 0 },
        { "the row goes on", 17, 3, 5, 3, 0 },
        { "another one for the same turn", 17, 3, 5, 4, 0 },
        { "a lost one", 19, -1500, 5, 0, 1 },
        { "some were not seen", 23, -1500, 5, 0, 1 },
        { "some were not seen, from a book", 33, 0, 0, 0, 0 },
    };
    Outlook outlook = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Thought thought = { .depth = rows[i].depth, .score = rows[i].score };
        outlook_add(&outlook, &thought, rows[i].ply, &draw, &resign);
        ScoreTrend trend = outlook_trend(&outlook, rows[i].ply);
        if (trend.level != rows[i].level || trend.lost != rows[i].lost)
            fail_msg("%s: %d %d", rows[i].name, trend.level, trend.lost);
    }
}

static void it_counts_only_for_the_moves_that_it_is_about(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t plies;
        int level;
        TableVerdict tables;
    } rows[] = {
        { "our move is the latest", 21, 1, TABLES_DRAW },
        { "the reply is there", 22, 1, TABLES_SILENT },
        { "our move never arrived", 20, 0, TABLES_SILENT },
        { "another move of ours is there", 23, 0, TABLES_SILENT },
        { "the beginning", 0, 0, TABLES_SILENT },
    };
    Outlook outlook = { 0 };
    add(&outlook, 21, 0, TABLES_DRAW);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (outlook_trend(&outlook, rows[i].plies).level != rows[i].level ||
            outlook_tables(&outlook, rows[i].plies) != rows[i].tables)
            fail_msg("%s", rows[i].name);
}

static void the_distance_from_an_offer_is_told(void **state)
{
    (void)state;
    Outlook outlook = { 0 };
    assert_int_equal(outlook_plies_since_offer(&outlook, 31), INT_MAX);
    outlook.offered_at_ply = 21;
    assert_int_equal(outlook_plies_since_offer(&outlook, 31), 10);
    assert_int_equal(outlook_plies_since_offer(&outlook, 21), 0);
    assert_int_equal(outlook_plies_since_offer(&outlook, 19), INT_MAX); /* taken back */
}

static void what_is_worth_keeping_is_written_and_read(void **state)
{
    (void)state;
    static const struct {
        Outlook outlook;
        const char *text;
    } rows[] = {
        { { .ply = 0 }, "" },
        { { .ply = 63, .tables = TABLES_WIN }, "" },
        { { .ply = 63, .trend = { .level = 5 } }, "63 5 0 0" },
        { { .ply = 63, .trend = { .level = 2, .lost = 4 }, .offered_at_ply = 41 }, "63 2 4 41" },
        { { .ply = 63, .offered_at_ply = 41 }, "0 0 0 41" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[OUTLOOK_TEXT_SIZE];
        Outlook outlook;
        outlook_write(&rows[i].outlook, text);
        assert_string_equal(text, rows[i].text);
        bool is_read = outlook_read(&outlook, text_of(text));
        assert_int_equal(is_read, *text != '\0');
        if (!is_read)
            continue;
        assert_int_equal(outlook.trend.level, rows[i].outlook.trend.level);
        assert_int_equal(outlook.trend.lost, rows[i].outlook.trend.lost);
        assert_int_equal(outlook.offered_at_ply, rows[i].outlook.offered_at_ply);
    }
    Outlook longest = { .ply = UINT32_MAX,
                        .trend = { .level = INT_MAX, .lost = INT_MAX },
                        .offered_at_ply = UINT32_MAX };
    char text[OUTLOOK_TEXT_SIZE];
    outlook_write(&longest, text);
    assert_true(strlen(text) < sizeof text);
}

static void what_was_not_written_so_is_not_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "63",
        "63 5 0",
        "63 5 0 0 ",
        "63 5 0 0 0",
        "63  5 0 0",
        " 63 5 0 0",
        "63 5 0 x",
        "-1 5 0 0",
        "63 5 0 -0x",
        "63 5 0 100001",
        "99999999999999999999 0 0 0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Outlook outlook = { .ply = 7 };
        if (outlook_read(&outlook, text_of(texts[i])) || outlook.ply != 7)
            fail_msg("\"%s\"", texts[i]);
    }
    Outlook outlook;
    assert_false(outlook_read(&outlook, (Text){ NULL, 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_in_a_row_are_counted),
        cmocka_unit_test(it_counts_only_for_the_moves_that_it_is_about),
        cmocka_unit_test(the_distance_from_an_offer_is_told),
        cmocka_unit_test(what_is_worth_keeping_is_written_and_read),
        cmocka_unit_test(what_was_not_written_so_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
