/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/contempt.h"
#include "tests/support/unit.h"

TEST(weaker_opponents_make_a_draw_worth_less)
{
    static const struct {
        const char *name;
        int ours, theirs, cp;
    } rows[] = {
        { "equal", 2000, 2000, 0 },
        { "stronger", 2000, 2300, 0 },
        { "a little weaker", 2000, 1950, CONTEMPT_CAP_CP / 4 },
        { "weaker", 2000, 1900, CONTEMPT_CAP_CP / 2 },
        { "at the cap", 2000, 1800, CONTEMPT_CAP_CP },
        { "far weaker", 3000, 600, CONTEMPT_CAP_CP },
        { "ours is unknown", 0, 1500, 0 },
        { "theirs is unknown", 2000, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int cp = contempt_cp(rows[i].ours, rows[i].theirs);
        if (cp != rows[i].cp)
            fail_msg("%s: %d", rows[i].name, cp);
    }
}
