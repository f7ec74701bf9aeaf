/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/alert_limit.h"
#include "tests/support/unit.h"

enum { PERIOD = 60000 };

TEST(the_first_goes_at_once_and_the_next_wait_for_the_period)
{
    AlertLimit limit = { 0 };
    int count = 0;
    assert_true(alert_limit_take(&limit, 5, PERIOD, &count));
    assert_int_equal(count, 1);
    assert_int_equal(alert_limit_due_ms(&limit, PERIOD), INT64_MAX);
    assert_false(alert_limit_take(&limit, 6, PERIOD, &count));
    assert_false(alert_limit_take(&limit, 5 + PERIOD - 1, PERIOD, &count));
    assert_int_equal(alert_limit_due_ms(&limit, PERIOD), 5 + PERIOD);
    assert_int_equal(alert_limit_flush(&limit, 5 + PERIOD), 2);
    assert_int_equal(alert_limit_due_ms(&limit, PERIOD), INT64_MAX);
}

TEST(one_after_the_period_stands_for_those_held_back)
{
    AlertLimit limit = { 0 };
    int count = 0;
    assert_true(alert_limit_take(&limit, 0, PERIOD, &count));
    for (int i = 1; i <= 7; i++)
        assert_false(alert_limit_take(&limit, i, PERIOD, &count));
    assert_true(alert_limit_take(&limit, PERIOD, PERIOD, &count));
    assert_int_equal(count, 8);
    assert_false(alert_limit_take(&limit, PERIOD + 1, PERIOD, &count));
}
