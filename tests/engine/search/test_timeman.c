/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/timeman.h"
#include "tests/support/unit.h"

TEST(plans_lie_within_bounds)
{
    static const struct {
        const char *name;
        TimeControl control;
        int64_t soft_lo, soft_hi, hard_lo, hard_hi;
    } rows[] = {
        { "bullet start", { 60000, 0, 0, 10 }, 1500, 4000, 6000, 20000 },
        { "1+0.01 start", { 1000, 10, 0, 10 }, 15, 60, 60, 300 },
        { "blitz with increment", { 180000, 2000, 0, 10 }, 4000, 12000, 15000, 60000 },
        { "sudden death, little left", { 100, 0, 0, 10 }, 1, 5, 1, 30 },
        { "increment carries", { 500, 2000, 0, 10 }, 250, 500, 250, 500 },
        { "one move to go", { 10000, 0, 1, 10 }, 8000, 9990, 8000, 9990 },
        { "two moves to go", { 10000, 0, 2, 10 }, 4000, 5000, 5000, 9000 },
        { "forty moves to go", { 120000, 0, 40, 10 }, 2500, 3100, 9000, 20000 },
        { "more moves to go than anybody plans for",
          { 120000, 0, 10000, 10 },
          1500,
          3000,
          1500,
          20000 },
        { "clock below the overhead", { 5, 0, 0, 10 }, 1, 1, 1, 1 },
        { "clock equal to the overhead", { 10, 0, 0, 10 }, 1, 1, 1, 1 },
        { "clock at zero", { 0, 0, 0, 0 }, 1, 1, 1, 1 },
        { "clock below zero", { -250, 0, 0, 10 }, 1, 1, 1, 1 },
        { "huge overhead", { 5000, 0, 0, 60000 }, 1, 1, 1, 1 },
        { "overhead above the increment", { 2000, 10, 0, 100 }, 1, 20, 1, 1400 },
        { "days",
          { INT64_C(14) * 24 * 3600 * 1000, 0, 0, 10 },
          1000000,
          60000000,
          1000000,
          400000000 },
        { "longer than life", { INT64_MAX / 2, INT64_MAX / 2, 0, 10 }, 1, INT64_MAX, 1, INT64_MAX },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TimeBudget b = timeman_plan(&PARAMS_DEFAULT, &rows[i].control);
        if (b.soft_ms < rows[i].soft_lo || b.soft_ms > rows[i].soft_hi ||
            b.hard_ms < rows[i].hard_lo || b.hard_ms > rows[i].hard_hi || b.soft_ms > b.hard_ms)
            fail_msg("%s: soft %lld, hard %lld", rows[i].name, (long long)b.soft_ms,
                     (long long)b.hard_ms);
    }
}

TEST(pondering_allows_a_quarter_more)
{
    const TimeBudget alone = { .soft_ms = 1000, .hard_ms = 5000 };
    TimeBudget pondering = timeman_with_pondering(&PARAMS_DEFAULT, &alone);
    assert_int_equal(pondering.soft_ms, 1250);
    assert_int_equal(pondering.hard_ms, 5000);
    const TimeBudget last = { .soft_ms = 5000, .hard_ms = 5000 };
    assert_int_equal(timeman_with_pondering(&PARAMS_DEFAULT, &last).soft_ms, 5000);
}

/* Whatever the search finds. Without an increment that is less than a quarter. An increment comes
 * back: it allows more than half where there are few of them left, and no more. A cap of a quarter
 * to a third besides the increment was tried, and cost some 10 Elo. */
TEST(no_move_takes_more_than_its_share_of_the_clock)
{
    static const struct {
        int64_t time_ms, increment_ms;
        int percent; /* of the clock, at most */
    } rows[] = {
        { 600000, 5000, 27 }, { 224000, 5000, 34 }, { 121000, 5000, 43 }, { 70000, 5000, 55 },
        { 46000, 5000, 55 },  { 5000, 5000, 55 },   { 180000, 2000, 29 }, { 30000, 2000, 55 },
        { 10000, 2000, 55 },  { 180000, 0, 23 },    { 60000, 0, 23 },     { 10000, 0, 23 },
        { 1000, 0, 23 },      { 3000, 100, 39 },    { 1000, 100, 55 },    { 1800000, 20000, 29 },
        { 60000, 30000, 55 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const TimeControl control = { .time_ms = rows[i].time_ms,
                                      .increment_ms = rows[i].increment_ms };
        int64_t hard = timeman_plan(&PARAMS_DEFAULT, &control).hard_ms;
        if (hard * 100 > rows[i].time_ms * rows[i].percent)
            fail_msg("%lld+%lld: %lld ms, %d per cent", (long long)rows[i].time_ms,
                     (long long)rows[i].increment_ms, (long long)hard,
                     (int)(hard * 100 / rows[i].time_ms));
    }
}

TEST(no_sequence_of_hard_limits_loses_on_time)
{
    static const TimeControl controls[] = {
        { 1000, 10, 0, 10 },
        { 10000, 0, 0, 10 },
        { 500, 0, 0, 20 },
        { 60000, 0, 40, 10 },
    };
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        TimeControl now = controls[i];
        for (int move = 0; move < 300; move++) {
            int64_t used = timeman_plan(&PARAMS_DEFAULT, &now).hard_ms + now.overhead_ms;
            bool room = now.time_ms > 2 * now.overhead_ms;
            if (room && used > now.time_ms)
                fail_msg("row %zu move %d: %lld of %lld ms", i, move, (long long)used,
                         (long long)now.time_ms);
            if (!room)
                break; /* only a wrong overhead could save us now */
            now.time_ms += now.increment_ms - used;
            if (controls[i].moves_to_go && --now.moves_to_go == 0) {
                now.moves_to_go = controls[i].moves_to_go;
                now.time_ms += controls[i].time_ms;
            }
        }
    }
}

TEST(fixed_time_is_used_but_for_the_overhead)
{
    assert_int_equal(timeman_fixed(1000, 10).hard_ms, 990);
    assert_int_equal(timeman_fixed(1000, 10).soft_ms, 990);
    assert_int_equal(timeman_fixed(5, 10).hard_ms, 1);
}

TEST(trends_stretch_and_shrink_the_soft_limit)
{
    const TimeBudget budget = { .soft_ms = 1000, .hard_ms = 1600 };
    const SearchTrend plain = { .iterations = 12, .best_move_age = 6, .best_move_permill = 500 };
    const int64_t usual = timeman_scale(&PARAMS_DEFAULT, &budget, &plain);
    SearchTrend shrink[5], stretch[5];
    for (int i = 0; i < 5; i++)
        shrink[i] = stretch[i] = plain;
    shrink[0].best_move_age = 12;
    shrink[1].best_move_permill = 900;
    shrink[2].score_drop = -15;
    shrink[3].last_move_drop = -15;
    shrink[4].iterations = 7; /* the same six iterations are nearly all of them */
    stretch[0].best_move_age = 1;
    stretch[1].best_move_permill = 200;
    stretch[2].score_drop = 30;
    stretch[3].last_move_drop = 30;
    stretch[4].best_move_changes = 512;
    for (int i = 0; i < 5; i++) {
        if (timeman_scale(&PARAMS_DEFAULT, &budget, &shrink[i]) >= usual)
            fail_msg("row %d does not shrink it", i);
        if (timeman_scale(&PARAMS_DEFAULT, &budget, &stretch[i]) <= usual)
            fail_msg("row %d does not stretch it", i);
    }
    const SearchTrend torn = { .iterations = 12,
                               .best_move_age = 1,
                               .best_move_changes = 600,
                               .score_drop = 90,
                               .best_move_permill = 100 };
    assert_int_equal(timeman_scale(&PARAMS_DEFAULT, &budget, &torn), budget.hard_ms);
    const TimeBudget least = { .soft_ms = 1, .hard_ms = 1 };
    assert_int_equal(timeman_scale(&PARAMS_DEFAULT, &least, &shrink[0]), 1);
}

/* Scores jump to mates and back: no sum overflows, and the limits hold. */
TEST(no_trend_leaves_the_limits)
{
    const TimeBudget budget = { .soft_ms = 1000, .hard_ms = 5000 };
    const int drops[] = { -64000, -1, 0, 1, 64000 };
    const int changes[] = { 0, 256, 256 * 2 * 256 };
    for (int i = 0; i < 125 * 3; i++) {
        const SearchTrend trend = { .iterations = 127,
                                    .best_move_age = i % 5 * 30 + 1,
                                    .best_move_changes = changes[i / 125],
                                    .score_drop = drops[i / 5 % 5],
                                    .last_move_drop = drops[i / 25 % 5],
                                    .best_move_permill = i % 1001 };
        assert_in_range(timeman_scale(&PARAMS_DEFAULT, &budget, &trend), 100, 5000);
    }
}

/* What is left of the clock, in per mille of its first value, after so many moves that each took
 * the soft limit of a trend. */
static int64_t clock_left(TimeControl control, const SearchTrend *trend, int moves)
{
    const int64_t first = control.time_ms;
    for (int move = 0; move < moves; move++) {
        TimeBudget budget = timeman_plan(&PARAMS_DEFAULT, &control);
        control.time_ms += control.increment_ms - control.overhead_ms -
                           timeman_scale(&PARAMS_DEFAULT, &budget, trend);
    }
    return control.time_ms * 1000 / first;
}

TEST(a_game_spends_its_clock_and_keeps_a_reserve)
{
    static const TimeControl controls[] = {
        { 180000, 2000, 0, 100 }, { 60000, 600, 0, 10 }, { 10000, 100, 0, 10 },
        { 1000, 10, 0, 1 },       { 180000, 0, 0, 100 },
    };
    const SearchTrend usual = { .iterations = 12, .best_move_age = 8, .best_move_permill = 600 };
    const SearchTrend torn = { .iterations = 12,
                               .best_move_age = 1,
                               .best_move_changes = 512,
                               .score_drop = 50,
                               .best_move_permill = 200 };
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        int64_t at_20 = clock_left(controls[i], &usual, 20);
        int64_t at_40 = clock_left(controls[i], &usual, 40);
        int64_t at_worst = clock_left(controls[i], &torn, 30);
        if (at_20 < 350 || at_20 > 750 || at_40 < 100 || at_40 > 500 || at_worst < 10)
            fail_msg("row %zu: %lld, %lld, at worst %lld per mille left", i, (long long)at_20,
                     (long long)at_40, (long long)at_worst);
    }
}
