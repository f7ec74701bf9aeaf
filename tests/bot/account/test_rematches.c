/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/rematches.h"
#include "tests/support/unit.h"

enum { NOW_MS = 1000 };

TEST(only_counts_of_living_facts_are_rematches)
{
    static const struct {
        const char *name, *rematch_of;
        int before;
    } rows[] = {
        { "no rematch", "", 0 },
        { "the first", "first000", 0 },
        { "the second", "second00", 1 },
        { "the third", "third000", 2 },
        { "an expired fact", "old00000", 0 },
        { "no number", "odd00000", 0 },
        { "no game's id", "../x", 0 },
    };
    Facts facts;
    facts_init(&facts);
    assert_true(facts_put(&facts, "rematch/second00", "1", NOW_MS + 1, NULL));
    assert_true(facts_put(&facts, "rematch/third000", "2", NOW_MS + 1, NULL));
    assert_true(facts_put(&facts, "rematch/old00000", "2", NOW_MS, NULL));
    assert_true(facts_put(&facts, "rematch/odd00000", "-1", NOW_MS + 1, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Challenge challenge = { .rematch_of = text_of(rows[i].rematch_of) };
        if (rematches_before(&facts, challenge.rematch_of, NOW_MS) != rows[i].before ||
            rematches_has(&facts, rows[i].rematch_of, NOW_MS) != (rows[i].before > 0))
            fail_msg("%s", rows[i].name);
    }
    facts_release(&facts);
}
