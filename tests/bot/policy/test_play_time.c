/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/play_time.h"
#include "tests/support/unit.h"

#include <limits.h>

static const TimeControl blitz = { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 };
static const TimeControl daily = { .kind = TIME_CORRESPONDENCE, .days = 1 };
static const TimeControl unlimited = { .kind = TIME_UNLIMITED };

TEST(a_clock_is_estimated_over_forty_moves)
{
    assert_int_equal(time_control_estimate_s(&blitz), 260);
    assert_int_equal(time_control_estimate_s(&daily), INT64_MAX);
}

TEST(only_games_that_end_in_time_begin)
{
    static const struct {
        const char *name;
        const TimeControl *time;
        int64_t left_ms; /* -1: without an end */
        bool suffices;
    } rows[] = {
        { "both clocks fit", &blitz, 520000, true },
        { "a millisecond is missing", &blitz, 519999, false },
        { "the time is over", &blitz, -5, false },
        { "correspondence has days", &daily, (int64_t)30 * 86400 * 1000, false },
        { "unlimited has no end", &unlimited, (int64_t)30 * 86400 * 1000, false },
        { "correspondence without an end", &daily, -1, true },
        { "a clock without an end", &blitz, -1, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t now_ms = 1000;
        int64_t ends_ms = rows[i].left_ms == -1 ? INT64_MAX : now_ms + rows[i].left_ms;
        if (play_time_suffices(rows[i].time, ends_ms, now_ms) != rows[i].suffices)
            fail_msg("%s", rows[i].name);
    }
}
