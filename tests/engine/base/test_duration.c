/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/duration.h"
#include "tests/support/unit.h"

TEST(two_units_at_most_are_written)
{
    static const struct {
        int64_t seconds;
        const char *words;
    } rows[] = {
        { -1, "-1 s" },           { 0, "0 s" },         { 59, "59 s" },
        { 60, "1 min" },          { 3599, "59 min" },   { 3600, "1 h 0 min" },
        { 86399, "23 h 59 min" }, { 86400, "1 d 0 h" }, { 183600, "2 d 3 h" },
    };
    char words[DURATION_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(duration_write(words, rows[i].seconds), rows[i].words);
}

TEST(times_are_read_by_their_units)
{
    static const struct {
        const char *words;
        int64_t seconds; /* -1: refused */
    } rows[] = {
        { "5h45m", 20700 },
        { "90s", 90 },
        { "1d", 86400 },
        { "1d1h1m1s", 90061 },
        { "0h5s", 5 },
        { "", -1 },
        { "5", -1 },
        { "5h45", -1 },
        { "45m5h", -1 },
        { "1h1h", -1 },
        { "h", -1 },
        { "-5s", -1 },
        { "1.5h", -1 },
        { "5 h", -1 },
        { "5H", -1 },
        { "0s", -1 },
        { "366d", 31622400 },
        { "366d1s", -1 },
        { "99999999999999999999s", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t seconds = -1;
        Error err = { 0 };
        bool ok = duration_read(&seconds, rows[i].words, &err);
        if (ok != (rows[i].seconds >= 0) || seconds != rows[i].seconds || ok == error_is_set(&err))
            fail_msg("%s: %lld", rows[i].words, (long long)seconds);
    }
}

/* Volatile, so that the compiler cannot know the answer. */
TEST(nothing_is_left_until_any_moment_of_the_past)
{
    static const volatile int64_t rows[][3] = {
        { INT64_MIN, 0, 0 },         { INT64_MIN, 1000000, 0 },
        { INT64_MIN, INT64_MAX, 0 }, { -1, 0, 0 },
        { 1000, 1000, 0 },           { 1001, 1000, 1 },
        { INT64_MAX, 0, INT64_MAX }, { INT64_MAX, 1000, INT64_MAX - 1000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(duration_until(rows[i][0], rows[i][1]), rows[i][2]);
}
