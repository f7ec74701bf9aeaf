/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/adjudicate.h"
#include "tests/unit.h"

#include <limits.h>

enum { BOTH = 1 << KIND_HUMAN | 1 << KIND_BOT };

static const DrawSettings draw = { .offer = true,
                                   .accept = true,
                                   .score_cp = 10,
                                   .moves = 3,
                                   .from_move = 40,
                                   .pieces = 10,
                                   .opponents = BOTH,
                                   .opponent_clock_s = 10 };
static const ResignSettings resign = {
    .enabled = true, .score_cp = 1000, .moves = 3, .opponents = BOTH, .opponent_clock_s = 10
};

/* Level and lost for long enough, at once: each function looks at its own part. */
static const Standing usual = { .opponent = KIND_BOT,
                                .move_number = 40,
                                .pieces = 10,
                                .opponent_clock_ms = 10000,
                                .trend = { .level = 3, .lost = 3 } };

static void a_trend_counts_moves_in_a_row(void **state)
{
    (void)state;
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

static void draws_are_for_level_endings_of_opponents_with_time(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Standing now;
        bool is_drawish;
    } rows[] = {
        { "usual", { KIND_BOT, 40, 10, 10000, { 3, 3 } }, true },
        { "a human", { KIND_HUMAN, 40, 10, 10000, { 3, 0 } }, true },
        { "no clock", { KIND_BOT, 40, 10, INT64_MAX, { 3, 0 } }, true },
        { "too early", { KIND_BOT, 39, 10, 10000, { 3, 0 } }, false },
        { "too many pieces", { KIND_BOT, 40, 11, 10000, { 3, 0 } }, false },
        { "not level for long enough", { KIND_BOT, 40, 10, 10000, { 2, 9 } }, false },
        { "about to lose on time", { KIND_BOT, 40, 10, 9999, { 3, 0 } }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (adjudicate_accepts_draw(&draw, &rows[i].now) != rows[i].is_drawish ||
            adjudicate_offers_draw(&draw, &rows[i].now, INT_MAX) != rows[i].is_drawish)
            fail_msg("%s", rows[i].name);
    }
}

static void draws_are_what_the_operator_wants(void **state)
{
    (void)state;
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

static void offers_are_twenty_plies_apart(void **state)
{
    (void)state;
    assert_false(adjudicate_offers_draw(&draw, &usual, DRAW_OFFER_GAP_PLIES - 1));
    assert_true(adjudicate_offers_draw(&draw, &usual, DRAW_OFFER_GAP_PLIES));
}

static void only_lost_games_are_resigned(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trend_counts_moves_in_a_row),
        cmocka_unit_test(draws_are_for_level_endings_of_opponents_with_time),
        cmocka_unit_test(draws_are_what_the_operator_wants),
        cmocka_unit_test(offers_are_twenty_plies_apart),
        cmocka_unit_test(only_lost_games_are_resigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
