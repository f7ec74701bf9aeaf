/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/error.h"
#include "tests/support/unit.h"

TEST(first_cause_wins)
{
    Error err = { 0 };
    assert_false(error_is_set(&err));
    error_set(&err, ERR_IO, "disk %d", 1);
    error_set(&err, ERR_MEMORY, "later");
    assert_int_equal(err.code, ERR_IO);
    assert_string_equal(err.text, "disk 1");
}

TEST(prefix_says_where)
{
    Error err = { 0 };
    error_prefix(&err, "nowhere");
    assert_false(error_is_set(&err));
    error_set(&err, ERR_INVALID, "no king");
    error_prefix(&err, "line %d", 7);
    assert_string_equal(err.text, "line 7: no king");
}

TEST(text_beyond_the_limit_is_cut_and_terminated)
{
    Error err = { 0 };
    error_set(&err, ERR_INVALID, "%0600d", 1);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "where");
    assert_memory_equal(err.text, "where: 000", 10);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

TEST(null_error_is_allowed)
{
    error_set(NULL, ERR_IO, "nobody listens");
    error_prefix(NULL, "here");
    assert_false(error_is_set(NULL));
}
