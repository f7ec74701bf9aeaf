/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/turns.h"
#include "tests/unit.h"

#define HOUR_MS ((int64_t)3600 * 1000)
#define DAY_MS (24 * HOUR_MS)
#define NEVER INT64_MAX

static void the_nearest_deadline_comes_first_and_clocks_before_all_that_can_wait(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool cores_are_needed;
        SlowTurn turns[4];
        int count, next;
    } rows[] = {
        { "nobody waits", false, { { 0, 0 } }, 0, -1 },
        { "one waits", false, { { DAY_MS, 0 } }, 1, 0 },
        { "the nearest deadline",
          false,
          { { 3 * DAY_MS, 9 }, { DAY_MS, 1 }, { NEVER, 99 } },
          3,
          1 },
        { "no deadline comes last", false, { { NEVER, 99 }, { 14 * DAY_MS, 0 } }, 2, 1 },
        { "who waited longer", false, { { NEVER, 5 }, { NEVER, 7 }, { NEVER, 6 } }, 3, 1 },
        { "a deadline that has passed", false, { { DAY_MS, 0 }, { -5, 0 } }, 2, 1 },
        { "all can wait for a clock", true, { { DAY_MS, 0 }, { NEVER, 0 } }, 2, -1 },
        { "a near deadline can't", true, { { DAY_MS, 0 }, { HOUR_MS, 0 } }, 2, 1 },
        { "who waited for an hour can't", true, { { 2 * HOUR_MS, 0 }, { NEVER, HOUR_MS } }, 2, 1 },
        { "not quite", true, { { HOUR_MS + 1, HOUR_MS - 1 } }, 1, -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int next = turns_next(rows[i].turns, rows[i].count, rows[i].cores_are_needed);
        if (next != rows[i].next)
            fail_msg("%s: %d, not %d", rows[i].name, next, rows[i].next);
    }
}

static void only_who_has_but_minutes_left_gives_no_way(void **state)
{
    (void)state;
    static const struct {
        SlowTurn turn;
        bool is_low_priority;
    } rows[] = {
        { { NEVER, 0 }, true },
        { { DAY_MS, 0 }, true },
        { { HOUR_MS, 5 * DAY_MS }, true },
        { { HOUR_MS / 6 + 1, 0 }, true },
        { { HOUR_MS / 6, 0 }, false },
        { { 1000, 0 }, false },
        { { -5, 0 }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (turn_gives_way(&rows[i].turn, true) != rows[i].is_low_priority ||
            turn_gives_way(&rows[i].turn, false))
            fail_msg("row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_deadline_comes_first_and_clocks_before_all_that_can_wait),
        cmocka_unit_test(only_who_has_but_minutes_left_gives_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
