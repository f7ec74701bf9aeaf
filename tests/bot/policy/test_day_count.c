/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/day_count.h"
#include "tests/support/unit.h"

#define HOUR ((int64_t)3600 * 1000)
#define NOW (495000 * HOUR + 1234567)

TEST(a_day_is_the_last_24_hours_and_a_little)
{
    DayCount count;
    day_count_init(&count);
    day_count_add(&count, 3, NOW);
    day_count_add(&count, 2, NOW + HOUR);
    assert_int_equal(day_count_today(&count, NOW + HOUR), 5);
    assert_int_equal(day_count_this_hour(&count, NOW + HOUR), 2);
    assert_int_equal(day_count_today(&count, NOW + 24 * HOUR), 5);
    assert_int_equal(day_count_today(&count, NOW + 25 * HOUR), 2);
    assert_int_equal(day_count_today(&count, NOW + 100 * HOUR), 0);
}

TEST(a_budget_is_spread_over_the_hours)
{
    DayCount count;
    int spent = 0;
    day_count_init(&count);
    for (int minute = 0; minute < 60; minute++)
        if (day_count_allows(&count, 1, 100, NOW - NOW % HOUR + (int64_t)minute * 60000)) {
            day_count_add(&count, 1, NOW);
            spent++;
        }
    assert_int_equal(spent, 5);
}

/* A week of greed: never more than the budget in any 24 hours. */
TEST(a_week_never_breaks_the_days_limit)
{
    enum { MINUTES = 7 * 24 * 60, BUDGET = 100 };
    static int spent_at[MINUTES];
    DayCount count;
    int total = 0;
    day_count_init(&count);
    for (int minute = 0; minute < MINUTES; minute++) {
        int64_t now = NOW + (int64_t)minute * 60000;
        spent_at[minute] = day_count_allows(&count, 1, BUDGET, now);
        if (spent_at[minute])
            day_count_add(&count, 1, now);
        total += spent_at[minute];
    }
    for (int first = 0; first + 1440 <= MINUTES; first += 7) {
        int sum = 0;
        for (int minute = first; minute < first + 1440; minute++)
            sum += spent_at[minute];
        assert_true(sum <= BUDGET);
    }
    assert_true(total > 6 * BUDGET);
}

TEST(what_is_dear_may_be_had_once_an_hour)
{
    DayCount count;
    day_count_init(&count);
    assert_true(day_count_allows(&count, 5, 24, NOW));
    day_count_add(&count, 5, NOW);
    assert_false(day_count_allows(&count, 1, 24, NOW));
    assert_true(day_count_allows(&count, 5, 24, NOW + HOUR));
    assert_false(day_count_allows(&count, 25, 24, NOW + HOUR));
}

TEST(a_restart_forgets_nothing)
{
    DayCount count, back;
    char text[DAY_COUNT_TEXT];
    day_count_init(&count);
    for (int hour = 0; hour < 40; hour++)
        day_count_add(&count, hour + 1000, NOW + hour * HOUR);
    day_count_write(&count, NOW + 39 * HOUR, text);
    day_count_init(&back);
    day_count_read(&back, text);
    for (int hour = 30; hour < 70; hour++)
        assert_int_equal(day_count_today(&back, NOW + hour * HOUR),
                         day_count_today(&count, NOW + hour * HOUR));
}

TEST(what_is_read_late_comes_on_top)
{
    DayCount count, late;
    day_count_init(&count);
    day_count_init(&late);
    day_count_add(&late, 5, NOW - 25 * HOUR); /* its place in the ring is taken by now */
    day_count_add(&late, 3, NOW - HOUR);
    day_count_add(&count, 1, NOW);
    day_count_merge(&count, &late);
    assert_int_equal(day_count_today(&count, NOW), 4);
    day_count_init(&late);
    day_count_add(&late, 2, NOW);
    day_count_merge(&count, &late);
    assert_int_equal(day_count_this_hour(&count, NOW), 3);
}

TEST(nonsense_reads_as_nothing)
{
    static const char *const texts[] = { "",       ",",    "x",    "1:2:3",          ":",
                                         "495000", "-1:5", "1:-5", "495000:1000001", "1e9:1",
                                         ",,:,:" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        DayCount count;
        day_count_init(&count);
        day_count_read(&count, texts[i]);
        assert_int_equal(day_count_today(&count, NOW), 0);
    }
}
