/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/timeman.h"
#include "tests/unit.h"

static void plans_lie_within_bounds(void **state)
{
    (void)state;
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

static void no_sequence_of_hard_limits_loses_on_time(void **state)
{
    (void)state;
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

static void fixed_time_is_used_but_for_the_overhead(void **state)
{
    (void)state;
    assert_int_equal(timeman_fixed(1000, 10).hard_ms, 990);
    assert_int_equal(timeman_fixed(1000, 10).soft_ms, 990);
    assert_int_equal(timeman_fixed(5, 10).hard_ms, 1);
}

static void trends_stretch_and_shrink_the_soft_limit(void **state)
{
    (void)state;
    const TimeBudget budget = { .soft_ms = 1000, .hard_ms = 1600 };
    const SearchTrend steady = { .best_move_age = 10, .score_drop = 0, .best_move_permill = 900 };
    const SearchTrend plain = { .best_move_age = 3, .score_drop = 0, .best_move_permill = 500 };
    const SearchTrend falling = { .best_move_age = 3, .score_drop = 60, .best_move_permill = 500 };
    const SearchTrend torn = { .best_move_age = 0, .score_drop = 90, .best_move_permill = 100 };
    assert_true(timeman_scale(&PARAMS_DEFAULT, &budget, &steady) <
                timeman_scale(&PARAMS_DEFAULT, &budget, &plain));
    assert_true(timeman_scale(&PARAMS_DEFAULT, &budget, &plain) <
                timeman_scale(&PARAMS_DEFAULT, &budget, &falling));
    assert_int_equal(timeman_scale(&PARAMS_DEFAULT, &budget, &torn), budget.hard_ms);
    const TimeBudget least = { .soft_ms = 1, .hard_ms = 1 };
    assert_int_equal(timeman_scale(&PARAMS_DEFAULT, &least, &steady), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_lie_within_bounds),
        cmocka_unit_test(no_sequence_of_hard_limits_loses_on_time),
        cmocka_unit_test(fixed_time_is_used_but_for_the_overhead),
        cmocka_unit_test(trends_stretch_and_shrink_the_soft_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
