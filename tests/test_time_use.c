/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/time_use.h"
#include "tests/unit.h"

static const TimeUseClock as_white = { .initial_ms = 60000,
                                       .increment_ms = 1000,
                                       .we_began = true };

static TimeUse add(const TimeUseClock *clock, const char *clocks, const char *times)
{
    TimeUse use = { 0 };
    time_use_add(&use, clock, text_of(clocks), text_of(times));
    return use;
}

static void our_moves_are_counted_from_the_second_on(void **state)
{
    (void)state;
    /* 60 s, then 3 s for a search of 2.5 s, then 2 s for one of 1.9 s. */
    TimeUse use = add(&as_white, "60000 60000 58000 9 57000", "- - 2500 - 1900");
    assert_int_equal(use.games, 1);
    assert_int_equal(use.moves, 2);
    assert_int_equal(use.spent_ms, 5000);
    assert_int_equal(use.lag_moves, 2);
    assert_int_equal(use.lag_ms, 600);
    assert_true(use.share > 5.0 / 62 - 1e-9 && use.share < 5.0 / 62 + 1e-9);
}

static void black_counts_the_other_moves(void **state)
{
    TimeUseClock clock = as_white;
    (void)state;
    clock.we_began = false;
    TimeUse use = add(&clock, "1 60000 2 60500 3", "- 0 - 400 -");
    assert_int_equal(use.moves, 1);
    assert_int_equal(use.spent_ms, 500);
    assert_int_equal(use.lag_ms, 100);
}

static void a_search_that_was_longer_has_no_lag(void **state)
{
    (void)state; /* it pondered */
    TimeUse use = add(&as_white, "60000 - 60900", "- - 5000");
    assert_int_equal(use.moves, 1);
    assert_int_equal(use.lag_moves, 0);
}

static void what_is_no_time_is_left_out(void **state)
{
    static const struct {
        const char *clocks, *times;
    } rows[] = {
        { "", "" },
        { "60000", "0" },
        { "- - - - -", "- - - - -" },
        { "60000 1 - 1 50000", "- - - - -" },
        { "60000 1 90000", "- - 0" }, /* time was given */
        { "60000 1 -5", "- - 0" },
        { "60000 1 99999999999999999999", "" },
        { "  \x01 \xff x", "9 9 9 9" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TimeUse use = add(&as_white, rows[i].clocks, rows[i].times);
        assert_int_equal(use.games, 0);
        assert_int_equal(use.moves, 0);
    }
    static const TimeUseClock clocks[] = {
        { 0, 0, true }, { -1, 0, true }, { INT64_MAX, INT64_MAX, true }, { 0, INT64_MIN, true }
    };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        assert_int_equal(add(&clocks[i], "60000 1 50000", "- - 0").games, 0);
}

static void games_add_up(void **state)
{
    TimeUse use = { 0 };
    (void)state;
    for (int i = 0; i < 3; i++)
        time_use_add(&use, &as_white, text_of("60000 1 59000"), text_of("- - -"));
    assert_int_equal(use.games, 3);
    assert_int_equal(use.moves, 3);
    assert_int_equal(use.spent_ms, 6000);
    assert_int_equal(use.lag_moves, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_moves_are_counted_from_the_second_on),
        cmocka_unit_test(black_counts_the_other_moves),
        cmocka_unit_test(a_search_that_was_longer_has_no_lag),
        cmocka_unit_test(what_is_no_time_is_left_out),
        cmocka_unit_test(games_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
