/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/team_arena.h"
#include "bot/config/config.h"
#include "tests/support/unit.h"

#define MINUTE_MS ((int64_t)60000)
#define NOW_MS (1800000000 * (int64_t)1000)

TEST(arenas_are_judged_by_the_rules)
{
    static const char text[] =
        "[tournaments]\nspeeds = bullet, blitz\nvariants = standard, atomic\n"
        "modes = rated\nminutes = 30..90\n";
    static const struct {
        const char *name;
        int begins_in_min, minutes;
        int64_t base_s, increment_s;
        Variant variant;
        bool is_casual, is_finished;
        const char *why;
    } rows[] = {
        { "one that suits", 10, 60, 180, 0, VARIANT_STANDARD, false, false, NULL },
        { "one that runs", -50, 60, 180, 0, VARIANT_STANDARD, false, false, NULL },
        { "the shortest", 10, 30, 60, 0, VARIANT_STANDARD, false, false, NULL },
        { "the longest", 10, 90, 60, 0, VARIANT_STANDARD, false, false, NULL },
        { "too short", 10, 29, 60, 0, VARIANT_STANDARD, false, false, "its length" },
        { "too long", 10, 91, 60, 0, VARIANT_STANDARD, false, false, "its length" },
        { "rapid", 10, 60, 600, 0, VARIANT_STANDARD, false, false, "its speed" },
        { "rapid by its increment", 10, 60, 180, 10, VARIANT_STANDARD, false, false, "its speed" },
        { "not named", 10, 60, 60, 0, VARIANT_CHESS960, false, false, "its variant" },
        { "named", 10, 60, 60, 0, VARIANT_ATOMIC, false, false, NULL },
        { "unheard of", 10, 60, 60, 0, VARIANT_UNKNOWN, false, false, "its variant" },
        { "casual", 10, 60, 60, 0, VARIANT_STANDARD, true, false, "its games are casual" },
        { "far off", 31, 60, 60, 0, VARIANT_STANDARD, false, false, "it begins later" },
        { "nearly over", -56, 60, 60, 0, VARIANT_STANDARD, false, false,
          "it is over, or will be soon" },
        { "over", -10, 60, 60, 0, VARIANT_STANDARD, false, true, "it is over, or will be soon" },
    };
    Config config;
    Buf problems;
    buf_init(&problems, 1000);
    assert_true(config_parse(&config, "test", text, strlen(text), &problems));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t starts = NOW_MS + rows[i].begins_in_min * MINUTE_MS;
        const ListedArena arena = { .id = "AbCd1234",
                                    .starts_unix_ms = starts,
                                    .ends_unix_ms = starts + rows[i].minutes * MINUTE_MS,
                                    .minutes = rows[i].minutes,
                                    .base_s = rows[i].base_s,
                                    .increment_s = rows[i].increment_s,
                                    .variant = rows[i].variant,
                                    .is_rated = !rows[i].is_casual,
                                    .is_finished = rows[i].is_finished };
        const char *why = team_arena_unfit(&arena, &config, NOW_MS);
        if ((why == NULL) != (rows[i].why == NULL) || (why && strcmp(why, rows[i].why) != 0))
            fail_msg("%s: %s", rows[i].name, why ? why : "suits");
    }
    config_release(&config);
    buf_release(&problems);
}
