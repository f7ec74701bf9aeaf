/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/unit.h"

enum { MOST_TESTS = 100 };

static struct CMUnitTest tests[MOST_TESTS];
static size_t count;
static CMFixtureFunction make_room, drop_room;

void register_test(struct CMUnitTest test)
{
    if (count == MOST_TESTS) {
        fprintf(stderr, "more tests than MOST_TESTS of tests/support/unit.c\n");
        abort();
    }
    tests[count++] = test;
}

void register_tests_room(CMFixtureFunction make, CMFixtureFunction drop)
{
    make_room = make;
    drop_room = drop;
}

int run_all_tests(void)
{
    return _cmocka_run_group_tests("tests", tests, count, make_room, drop_room);
}
