/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/adjudicate.h"
#include "tests/support/unit.h"

#include <limits.h>

enum { BOTH = 1 << KIND_HUMAN | 1 << KIND_BOT };

static const DrawSettings draw = { .offer = true,
                                   .accept = true,
                                   .score_cp = 10,
                                   .moves = 3,
                                   .from_move = 40,
                                   .pieces = 10,
                                   .tablebase = true,
                                   .opponents = BOTH,
                                   .opponent_clock_s = 10 };
static const ResignSettings resign = { .enabled = true,
                                       .score_cp = 1000,
                                       .moves = 3,
                                       .tablebase = true,
                                       .opponents = BOTH,
                                       .opponent_clock_s = 10 };

/* Level and lost for long enough, at once: each function looks at its own part. */
static const Standing usual = { .opponent = KIND_BOT,
                                .move_number = 40,
                                .pieces = 10,
                                .opponent_clock_ms = 20000,
                                .trend = { .level = 3, .lost = 3 },
                                .plies = 78 };

TEST(a_trend_counts_moves_in_a_row)
{
    static const struct {
        int score, level, lost;
    } rows[] = {
        { 0, 1, 0 },      { 10, 2, 0 },     { -10, 3, 0 },   { 11, 0, 0 },
        { 5, 1, 0 },      { -11, 0, 0 },    { -1000, 0, 1 }, { -999, 0, 0 },
        { -31990, 0, 1 }, { -29990, 0, 2 }, { -1500, 0, 3 }, { 31990, 0, 0 },
    };
    ScoreTrend trend = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trend_add(&trend, &draw, &resign, rows[i].score);
        if (trend.level != rows[i].level || trend.lost != rows[i].lost)
            fail_msg("row %zu: %d %d", i, trend.level, trend.lost);
    }
}

TEST(draws_are_for_level_endings_of_opponents_with_time)
{
    static const struct {
        const char *name;
        OpponentKind opponent;
        int move_number, pieces, clock_ms, level;
        bool is_drawish;
    } rows[] = {
        { "usual", KIND_BOT, 40, 10, 20000, 3, true },
        { "a human", KIND_HUMAN, 40, 10, 20000, 3, true },
        { "too early", KIND_BOT, 39, 10, 20000, 3, false },
        { "too many pieces", KIND_BOT, 40, 11, 20000, 3, false },
        { "not level for long enough", KIND_BOT, 40, 10, 20000, 2, false },
        { "about to lose on time", KIND_BOT, 40, 10, 9999, 3, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Standing now = { .opponent = rows[i].opponent,
                               .move_number = rows[i].move_number,
                               .pieces = rows[i].pieces,
                               .opponent_clock_ms = rows[i].clock_ms,
                               .trend = { .level = rows[i].level, .lost = 9 },
                               .plies = 78 };
        if (adjudicate_accepts_draw(&draw, &now) != rows[i].is_drawish ||
            adjudicate_offers_draw(&draw, &now, INT_MAX) != rows[i].is_drawish)
            fail_msg("%s", rows[i].name);
    }
    Standing now = usual;
    now.opponent_clock_ms =
        DRAW_OFFER_CLOCK_MIN_MS - 1; /* an offer of ours would save their flag */
    assert_true(adjudicate_accepts_draw(&draw, &now));
    assert_false(adjudicate_offers_draw(&draw, &now, INT_MAX));
    now.opponent_clock_ms = INT64_MAX; /* no clock */
    assert_true(adjudicate_accepts_draw(&draw, &now));
}

TEST(draws_are_what_the_operator_wants)
{
    DrawSettings mine = draw;
    mine.offer = false;
    assert_false(adjudicate_offers_draw(&mine, &usual, INT_MAX));
    assert_true(adjudicate_accepts_draw(&mine, &usual));
    mine = draw;
    mine.accept = false;
    assert_true(adjudicate_offers_draw(&mine, &usual, INT_MAX));
    assert_false(adjudicate_accepts_draw(&mine, &usual));
    mine = draw;
    mine.opponents = 1 << KIND_HUMAN;
    assert_false(adjudicate_offers_draw(&mine, &usual, INT_MAX));
    assert_false(adjudicate_accepts_draw(&mine, &usual));
}

TEST(no_offer_is_made_where_lichess_would_not_hear_it)
{
    Standing now = usual;
    assert_false(adjudicate_offers_draw(&draw, &now, DRAW_OFFER_GAP_PLIES));
    assert_true(adjudicate_offers_draw(&draw, &now, DRAW_OFFER_GAP_PLIES + 1));
    now.plies = 1;
    assert_false(adjudicate_offers_draw(&draw, &now, INT_MAX));
    now.plies = 2;
    assert_true(adjudicate_offers_draw(&draw, &now, INT_MAX));
    now.takes_no_offer = true;
    assert_false(adjudicate_offers_draw(&draw, &now, INT_MAX));
}

/* What the scores said for long, what the tables say, and whether they are to decide at once. */
TEST(tables_have_the_last_word)
{
    static const ScoreTrend level = { .level = 9 }, lost = { .lost = 9 }, none = { 0 };
    const struct {
        const char *name;
        ScoreTrend trend;
        TablebaseVerdict tables;
        bool at_once, offers, accepts, resigns;
    } rows[] = {
        { "a draw at once", none, TABLEBASE_VERDICT_DRAW, true, true, true, false },
        { "a draw that they may not call", none, TABLEBASE_VERDICT_DRAW, false, false, false,
          false },
        { "a draw that was level for long", level, TABLEBASE_VERDICT_DRAW, false, true, true,
          false },
        { "a draw that looked lost", lost, TABLEBASE_VERDICT_DRAW, true, true, true, false },
        { "the same, not at once: not resigned", lost, TABLEBASE_VERDICT_DRAW, false, false, false,
          false },
        { "a loss at once, better drawn", none, TABLEBASE_VERDICT_LOSS, true, false, true, true },
        { "a loss that they may not call", none, TABLEBASE_VERDICT_LOSS, false, false, false,
          false },
        { "a loss by score as well", lost, TABLEBASE_VERDICT_LOSS, false, false, false, true },
        { "a win is given to nobody", level, TABLEBASE_VERDICT_WIN, true, false, false, false },
        { "a win that looked lost", lost, TABLEBASE_VERDICT_WIN, false, false, false, false },
        { "a cursed win is played on", none, TABLEBASE_VERDICT_CURSED_WIN, true, false, false,
          false },
        { "a cursed win, level for long", level, TABLEBASE_VERDICT_CURSED_WIN, true, true, true,
          false },
        { "a cursed win that looked lost", lost, TABLEBASE_VERDICT_CURSED_WIN, true, false, false,
          false },
        { "nothing, level for long", level, TABLEBASE_VERDICT_NONE, true, true, true, false },
        { "nothing, lost for long", lost, TABLEBASE_VERDICT_NONE, true, false, false, true },
        { "nothing", none, TABLEBASE_VERDICT_NONE, true, false, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DrawSettings draws = draw;
        ResignSettings resigns = resign;
        Standing now = usual;
        draws.tablebase = resigns.tablebase = rows[i].at_once;
        now.trend = rows[i].trend;
        now.tablebase_verdict = rows[i].tables;
        if (adjudicate_offers_draw(&draws, &now, INT_MAX) != rows[i].offers ||
            adjudicate_accepts_draw(&draws, &now) != rows[i].accepts ||
            adjudicate_resigns(&resigns, &now) != rows[i].resigns)
            fail_msg("%s", rows[i].name);
    }
}

TEST(what_the_tables_say_needs_neither_moves_nor_scores_but_the_rest)
{
    Standing now = usual;
    now.trend = (ScoreTrend){ 0 };
    now.tablebase_verdict = TABLEBASE_VERDICT_DRAW;
    now.move_number = 2;
    now.pieces = 32;
    assert_true(adjudicate_offers_draw(&draw, &now, INT_MAX));
    assert_true(adjudicate_accepts_draw(&draw, &now));
    now.opponent_clock_ms = 9999;
    assert_false(adjudicate_offers_draw(&draw, &now, INT_MAX));
    assert_false(adjudicate_accepts_draw(&draw, &now));
    now.tablebase_verdict = TABLEBASE_VERDICT_LOSS;
    assert_false(adjudicate_resigns(&resign, &now)); /* who is about to lose on time */
    now.opponent_clock_ms = 10000;
    assert_true(adjudicate_resigns(&resign, &now));
    now.plies = 0;
    assert_false(adjudicate_resigns(&resign, &now)); /* it would abort the game */
    now = usual;
    now.tablebase_verdict = TABLEBASE_VERDICT_LOSS;
    ResignSettings off = resign;
    off.enabled = false;
    assert_false(adjudicate_resigns(&off, &now));
    DrawSettings humans = draw;
    humans.opponents = 1 << KIND_HUMAN;
    now.tablebase_verdict = TABLEBASE_VERDICT_DRAW;
    assert_false(adjudicate_offers_draw(&humans, &now, INT_MAX));
}

TEST(only_lost_games_are_resigned)
{
    Standing now = usual;
    ResignSettings mine = resign;
    assert_true(adjudicate_resigns(&resign, &now));
    now.trend = (ScoreTrend){ .level = 9, .lost = 2 };
    assert_false(adjudicate_resigns(&resign, &now));
    now = usual;
    now.opponent_clock_ms = 9999;
    assert_false(adjudicate_resigns(&resign, &now)); /* who is about to lose on time */
    mine.enabled = false;
    assert_false(adjudicate_resigns(&mine, &usual));
    mine = resign;
    mine.opponents = 1 << KIND_HUMAN;
    assert_false(adjudicate_resigns(&mine, &usual));
}
