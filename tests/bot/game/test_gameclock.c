/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/gameclock.h"
#include "tests/support/unit.h"

static const GameClock blitz = {
    .has_clock = true,
    .running = true,
    .time_ms = { 60000, 50000 },
    .increment_ms = { 1000, 2000 },
    .at_ms = 5000,
};
static const ClockUse quick = { .move = 31, .lag = { 0, 200 }, .most_ms = 10000 };
static const ClockUse patient = { .move = 1, .lag = { 0, 200 }, .most_ms = 60000 };

TEST(only_the_clock_of_the_side_to_move_runs)
{
    assert_int_equal(gameclock_left_ms(&blitz, WHITE, WHITE, 7000), 58000);
    assert_int_equal(gameclock_left_ms(&blitz, WHITE, BLACK, 7000), 60000);
    assert_int_equal(gameclock_left_ms(&blitz, BLACK, BLACK, 7000), 48000);
}

TEST(no_time_is_lost_before_both_have_moved)
{
    GameClock clock = blitz;
    clock.running = false;
    assert_int_equal(gameclock_left_ms(&clock, WHITE, WHITE, 30000), 60000);
}

TEST(clocks_that_others_start_may_run_from_the_first_line)
{
    GameClock clock = blitz;
    clock.running = false;
    clock.may_run = true;
    assert_int_equal(gameclock_left_ms(&clock, WHITE, WHITE, 30000), 35000);
}

TEST(a_clock_stops_at_zero)
{
    assert_int_equal(gameclock_left_ms(&blitz, WHITE, WHITE, 500000), 0);
}

TEST(the_engine_is_told_both_clocks_as_they_are_now)
{
    SearchLimits limits = { .nodes = 77 };
    gameclock_limit(&blitz, BLACK, 6000, &quick, &limits);
    assert_true(limits.has_clock);
    assert_int_equal(limits.time_ms[WHITE], 60000);
    assert_int_equal(limits.time_ms[BLACK], 49000 - 200);
    assert_int_equal(limits.increment_ms[BLACK], 2000);
    assert_int_equal(limits.nodes, 77);
    assert_int_equal(limits.movetime_ms, 0);
}

TEST(a_flag_about_to_fall_still_leaves_a_millisecond)
{
    SearchLimits limits = { 0 };
    gameclock_limit(&blitz, WHITE, 9999999, &quick, &limits);
    assert_int_equal(limits.time_ms[WHITE], 1);
}

TEST(without_a_clock_there_is_a_fixed_time)
{
    GameClock unlimited = { .time_ms = { INT32_MAX, INT32_MAX }, .running = true };
    SearchLimits limits = { 0 };
    assert_int_equal(gameclock_left_ms(&unlimited, WHITE, WHITE, 99), INT64_MAX);
    gameclock_limit(&unlimited, WHITE, 99, &quick, &limits);
    assert_false(limits.has_clock);
    assert_int_equal(limits.movetime_ms, 10000);

    GameClock deadline = { .time_ms = { 20000, 86400000 }, .running = true };
    limits = (SearchLimits){ 0 };
    gameclock_limit(&deadline, WHITE, 10000, &quick, &limits);
    assert_int_equal(limits.movetime_ms, 1000);

    limits = (SearchLimits){ .movetime_ms = 300 };
    gameclock_limit(&unlimited, WHITE, 99, &quick, &limits);
    assert_int_equal(limits.movetime_ms, 300);
}

TEST(a_deadline_is_told_where_there_is_one)
{
    GameClock days = { .time_ms = { 86400000, 20000 }, .running = true, .at_ms = 500 };
    GameClock unlimited = { .time_ms = { INT32_MAX, INT32_MAX }, .running = true };
    assert_int_equal(gameclock_deadline_ms(&days, BLACK), 20500);
    assert_int_equal(gameclock_deadline_ms(&unlimited, BLACK), INT64_MAX);
    assert_int_equal(gameclock_deadline_ms(&blitz, BLACK), INT64_MAX);
}

TEST(however_many_games_are_due_each_has_its_turn_before_the_deadline)
{
    int64_t now = 0;
    GameClock clock = { .time_ms = { 60000, 60000 }, .running = true };
    for (int i = 0; i < 50; i++) {
        SearchLimits limits = { 0 };
        gameclock_limit(&clock, WHITE, now, &patient, &limits);
        now += limits.movetime_ms;
        assert_in_range(now, 0, 60000);
    }
}

TEST(lag_is_kept_back_from_our_clock_for_the_moves_to_come)
{
    static const struct {
        const char *name;
        int64_t time_ms, increment_ms;
        uint32_t move;
        Lag lag;
        int64_t told_ms, told_increment_ms;
    } rows[] = {
        { "no lag", 60000, 0, 1, { 0, 0 }, 60000, 0 },
        { "first move", 60000, 0, 1, { 100, 150 }, 60000 - 150 - 68 * 100, 0 },
        { "tenth move", 60000, 0, 10, { 100, 150 }, 60000 - 150 - 59 * 100, 0 },
        { "a long game", 60000, 0, 200, { 100, 150 }, 60000 - 150 - 39 * 100, 0 },
        { "the increment pays", 60000, 2000, 1, { 100, 150 }, 60000 - 150, 1900 },
        { "it pays in part", 60000, 1000, 31, { 1500, 1600 }, 60000 - 1600 - 39 * 500, 0 },
        { "more lag than clock", 60000, 0, 1, { 2000, 2500 }, 3000, 0 },
        { "one bad delay", 10000, 0, 60, { 20, 2000 }, 10000 - 2000 - 39 * 20, 0 },
        { "the last second", 1000, 0, 90, { 300, 1200 }, 50, 0 },
        { "the last millisecond", 1, 0, 90, { 300, 1200 }, 1, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameClock clock = { .has_clock = true,
                            .running = true,
                            .time_ms = { 7000, rows[i].time_ms },
                            .increment_ms = { 500, rows[i].increment_ms } };
        ClockUse use = { .move = rows[i].move, .lag = rows[i].lag };
        SearchLimits limits = { 0 };
        gameclock_limit(&clock, BLACK, 0, &use, &limits);
        if (limits.time_ms[BLACK] != rows[i].told_ms ||
            limits.increment_ms[BLACK] != rows[i].told_increment_ms)
            fail_msg("%s: %lld + %lld", rows[i].name, (long long)limits.time_ms[BLACK],
                     (long long)limits.increment_ms[BLACK]);
        assert_int_equal(limits.time_ms[WHITE], 7000);
        assert_int_equal(limits.increment_ms[WHITE], 500);
    }
}

TEST(a_request_gets_less_time_on_a_short_clock)
{
    static const Lag fast = { 0, 20 }, slow = { 800, 1600 };
    assert_int_equal(gameclock_request_timeout_ms(INT64_MAX, fast), 10020);
    assert_int_equal(gameclock_request_timeout_ms(60000, fast), 3020);
    assert_int_equal(gameclock_request_timeout_ms(500, fast), 1020);
    assert_int_equal(gameclock_request_timeout_ms(500, slow), 2600);
}

TEST(a_late_search_is_hurried_before_the_flag_falls)
{
    for (int64_t left = 0; left <= 60000; left += 100) {
        GameClock clock = { .has_clock = true, .running = true, .time_ms = { left, 1 } };
        int64_t at = gameclock_stop_early_at_ms(&clock, WHITE, 0, &quick);
        assert_in_range(at, left / 2, left);
    }
    GameClock days = { .time_ms = { 86400000, 86400000 }, .running = true };
    assert_int_equal(gameclock_stop_early_at_ms(&days, WHITE, 0, &patient), 130000);
    days.time_ms[WHITE] = 10000;
    assert_int_equal(gameclock_stop_early_at_ms(&days, WHITE, 0, &patient), 5000);
    assert_int_equal(gameclock_stop_early_at_ms(&blitz, WHITE, 5000, &quick), 5000 + 60000 - 900);
}
