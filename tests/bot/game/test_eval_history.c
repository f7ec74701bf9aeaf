/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/eval_history.h"
#include "tests/support/unit.h"

#include <limits.h>

static const DrawSettings draw = { .score_cp = 10 };
static const ResignSettings resign = { .score_cp = 1000 };

static void add(EvalHistory *eval_history, uint32_t ply, int score, TablebaseVerdict tables)
{
    MoveChoice choice = { .depth = 5, .score = score, .tablebase_verdict = tables };
    eval_history_add(eval_history, &choice, ply, &draw, &resign);
}

TEST(moves_in_a_row_are_counted)
{
    static const struct {
        const char *name;
        uint32_t ply;
        int score, depth, level, lost, draw_score;
    } rows[] = {
        { "the first", 11, 0, 5, 1, 0, 0 },
        { "the next", 13, -10, 5, 2, 0, 0 },
        { "one from a book says nothing", 15, 0, 0, 2, 0, 0 },
        { "the row goes on", 17, 3, 5, 3, 0, 0 },
        { "another one for the same turn", 17, 3, 5, 4, 0, 0 },
        { "a draw is what is to be had, but for contempt", 19, -35, 5, 5, 0, -40 },
        { "better than that, with contempt", 21, 3, 5, 0, 0, -40 },
        { "a lost one", 23, -1500, 5, 0, 1, 0 },
        { "some were not seen", 27, -1500, 5, 0, 1, 0 },
        { "some were not seen, from a book", 33, 0, 0, 0, 0, 0 },
    };
    EvalHistory eval_history = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MoveChoice choice = { .depth = rows[i].depth,
                              .score = rows[i].score,
                              .draw_score = rows[i].draw_score };
        eval_history_add(&eval_history, &choice, rows[i].ply, &draw, &resign);
        ScoreTrend trend = eval_history_trend(&eval_history, rows[i].ply);
        if (trend.level != rows[i].level || trend.lost != rows[i].lost)
            fail_msg("%s: %d %d", rows[i].name, trend.level, trend.lost);
    }
}

TEST(it_counts_only_for_the_moves_that_it_is_about)
{
    static const struct {
        const char *name;
        uint32_t plies;
        int level;
        TablebaseVerdict tables;
    } rows[] = {
        { "our move is the latest", 21, 1, TABLEBASE_VERDICT_DRAW },
        { "the reply is there", 22, 1, TABLEBASE_VERDICT_NONE },
        { "our move never arrived", 20, 0, TABLEBASE_VERDICT_NONE },
        { "another move of ours is there", 23, 0, TABLEBASE_VERDICT_NONE },
        { "the beginning", 0, 0, TABLEBASE_VERDICT_NONE },
    };
    EvalHistory eval_history = { 0 };
    add(&eval_history, 21, 0, TABLEBASE_VERDICT_DRAW);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (eval_history_trend(&eval_history, rows[i].plies).level != rows[i].level ||
            eval_history_verdict(&eval_history, rows[i].plies) != rows[i].tables)
            fail_msg("%s", rows[i].name);
}

TEST(the_distance_from_an_offer_is_told)
{
    EvalHistory eval_history = { 0 };
    assert_int_equal(eval_history_plies_since_offer(&eval_history, 31), INT_MAX);
    eval_history.offered_at_ply = 21;
    assert_int_equal(eval_history_plies_since_offer(&eval_history, 31), 10);
    assert_int_equal(eval_history_plies_since_offer(&eval_history, 21), 0);
    assert_int_equal(eval_history_plies_since_offer(&eval_history, 19), INT_MAX); /* taken back */
}

TEST(what_is_worth_keeping_is_written_and_read)
{
    static const struct {
        EvalHistory eval_history;
        const char *text;
    } rows[] = {
        { { .ply = 0 }, "" },
        { { .ply = 63, .tablebase_verdict = TABLEBASE_VERDICT_WIN }, "" },
        { { .ply = 63, .trend = { .level = 5 } }, "63 5 0 0" },
        { { .ply = 63, .trend = { .level = 2, .lost = 4 }, .offered_at_ply = 41 }, "63 2 4 41" },
        { { .ply = 63, .offered_at_ply = 41 }, "0 0 0 41" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[EVAL_HISTORY_TEXT_SIZE];
        EvalHistory eval_history;
        eval_history_write(&rows[i].eval_history, text);
        assert_string_equal(text, rows[i].text);
        bool is_read = eval_history_read(&eval_history, text_of(text));
        assert_int_equal(is_read, *text != '\0');
        if (!is_read)
            continue;
        assert_int_equal(eval_history.trend.level, rows[i].eval_history.trend.level);
        assert_int_equal(eval_history.trend.lost, rows[i].eval_history.trend.lost);
        assert_int_equal(eval_history.offered_at_ply, rows[i].eval_history.offered_at_ply);
    }
    EvalHistory longest = { .ply = UINT32_MAX,
                            .trend = { .level = INT_MAX, .lost = INT_MAX },
                            .offered_at_ply = UINT32_MAX };
    char text[EVAL_HISTORY_TEXT_SIZE];
    eval_history_write(&longest, text);
    assert_true(strlen(text) < sizeof text);
}

TEST(what_was_not_written_so_is_not_read)
{
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
        EvalHistory eval_history = { .ply = 7 };
        if (eval_history_read(&eval_history, text_of(texts[i])) || eval_history.ply != 7)
            fail_msg("\"%s\"", texts[i]);
    }
    EvalHistory eval_history;
    assert_false(eval_history_read(&eval_history, (Text){ NULL, 0 }));
}
