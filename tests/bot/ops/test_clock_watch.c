/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/clock_watch.h"
#include "tests/support/unit.h"

enum { SECOND = 1000, HOUR = 3600 * SECOND };

TEST(sleeps_and_clocks_that_are_set_are_told_apart)
{
    static const struct {
        const char *name;
        int64_t awake, up, world; /* that have passed, in ms */
        int64_t slept, set;
    } rows[] = {
        { "a second", SECOND, SECOND, SECOND, 0, 0 },
        { "a loop that was busy for a minute", 60 * SECOND, 60 * SECOND, 60 * SECOND, 0, 0 },
        { "a small correction", SECOND, SECOND, 3 * SECOND, 0, 0 },
        { "a nap", SECOND, 5 * SECOND, 5 * SECOND, 0, 0 },
        { "a night", SECOND, 8 * HOUR, 8 * HOUR, 8 * HOUR - SECOND, 0 },
        { "six seconds", SECOND, 7 * SECOND, 7 * SECOND, 6 * SECOND, 0 },
        { "set forward", SECOND, SECOND, HOUR + SECOND, 0, HOUR },
        { "set back", SECOND, SECOND, SECOND - HOUR, 0, -HOUR },
        { "a night, and set back", SECOND, HOUR + SECOND, SECOND, HOUR, -HOUR },
        { "stopped (SIGSTOP)", 20 * SECOND, 20 * SECOND, 20 * SECOND, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClockReading before = { 5 * HOUR, 9 * HOUR, 500000 * (int64_t)HOUR };
        const ClockReading after = { before.awake_ms + rows[i].awake, before.up_ms + rows[i].up,
                                     before.unix_ms + rows[i].world };
        ClockJump jump;
        bool told = clock_jump_between(&before, &after, &jump);
        if (told != (rows[i].slept || rows[i].set) || jump.slept_ms != rows[i].slept ||
            jump.set_ms != rows[i].set)
            fail_msg("%s: slept %lld ms, set by %lld ms", rows[i].name, (long long)jump.slept_ms,
                     (long long)jump.set_ms);
    }
}
