/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - tests that register themselves: what follows TEST(name) in braces is one, and the
 * program runs all of its file in their order. main() is in the library, unless a program has one
 * of its own. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* `name` is the sentence that the test proves. */
#define TEST(name) TEST_IN(name, NULL, NULL)

/* The same with a room of its own: `make` (or NULL) sets *state and gives 0, `drop` (or NULL)
 * follows whatever becomes of the test. */
#define TEST_IN(name, make, drop)                                                                  \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void register_##name(void)                                 \
    {                                                                                              \
        register_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, make, drop));       \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

/* `make` runs before the first test of the program, `drop` after the last; NULL for neither. */
#define TESTS_IN(make, drop)                                                                       \
    __attribute__((constructor)) static void register_room(void)                                   \
    {                                                                                              \
        register_tests_room(make, drop);                                                           \
    }

/* For the macros above. `test` is copied. */
void register_test(struct CMUnitTest test);
void register_tests_room(CMFixtureFunction make, CMFixtureFunction drop);

/* Runs what is registered and returns what main() is to return: how many failed. */
int run_all_tests(void);
