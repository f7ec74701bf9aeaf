/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/error.h"
#include "tests/support/unit.h"

static void first_cause_wins(void **state)
{
    (void)state;
    Error err = { 0 };
    assert_false(error_is_set(&err));
    error_set(&err, ERR_IO, "disk %d", 1);
    error_set(&err, ERR_MEMORY, "later");
    assert_int_equal(err.code, ERR_IO);
    assert_string_equal(err.text, "disk 1");
}

static void prefix_says_where(void **state)
{
    (void)state;
    Error err = { 0 };
    error_prefix(&err, "nowhere");
    assert_false(error_is_set(&err));
    error_set(&err, ERR_INVALID, "no king");
    error_prefix(&err, "line %d", 7);
    assert_string_equal(err.text, "line 7: no king");
}

static void text_beyond_the_limit_is_cut_and_terminated(void **state)
{
    (void)state;
    Error err = { 0 };
    error_set(&err, ERR_INVALID, "%0600d", 1);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "where");
    assert_memory_equal(err.text, "where: 000", 10);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void null_error_is_allowed(void **state)
{
    (void)state;
    error_set(NULL, ERR_IO, "nobody listens");
    error_prefix(NULL, "here");
    assert_false(error_is_set(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_cause_wins),
        cmocka_unit_test(prefix_says_where),
        cmocka_unit_test(text_beyond_the_limit_is_cut_and_terminated),
        cmocka_unit_test(null_error_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
