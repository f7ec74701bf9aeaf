/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/utc_time.h"
#include "tests/support/unit.h"

/* 2026-11-22T17:59:30Z */
#define NOW INT64_C(1795370370)

TEST(a_moment_is_read_and_written)
{
    static const struct {
        const char *word, *written;
        int64_t unix_s;
    } rows[] = {
        { "2026-11-22T18:00Z", "2026-11-22T18:00Z", NOW + 30 },
        { "2026-11-22T18:00:00Z", "2026-11-22T18:00Z", NOW + 30 },
        { "2026-11-22T17:59:31Z", "2026-11-22T17:59:31Z", NOW + 1 },
        { "2026-12-31T23:59:59Z", "2026-12-31T23:59:59Z", 1798761599 },
        { "2027-02-28T00:00Z", "2027-02-28T00:00Z", 1803772800 },
        { "+1", "2026-11-22T18:00:30Z", NOW + 60 },
        { "+527040", "2027-11-23T17:59:30Z", NOW + 366 * 86400 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char written[UTC_TIME_SIZE];
        int64_t unix_s = 0;
        Error err = { 0 };
        if (!utc_time_read(&unix_s, rows[i].word, NOW, &err))
            fail_msg("%s", err.text);
        assert_int_equal(unix_s, rows[i].unix_s);
        utc_time_write(unix_s, written);
        assert_string_equal(written, rows[i].written);
    }
}

TEST(what_is_no_moment_to_come_is_refused)
{
    static const struct {
        const char *word, *part;
    } rows[] = {
        { "", "neither like" },
        { "tomorrow", "neither like" },
        { "18:00", "neither like" },
        { "2026-11-22", "neither like" },
        { "2026-11-22T18:00", "neither like" },
        { "2026-11-22T18:00+01:00", "neither like" },
        { "2026-11-22 18:00Z", "neither like" },
        { "2026-11-22T18:00ZZ", "neither like" },
        { "2026-11-22T18:00:Z", "neither like" },
        { "2026-11-22T18:00:001Z", "neither like" },
        { "2026-11-22T24:00Z", "neither like" },
        { "2026-11-22T18:60Z", "neither like" },
        { "2026-13-22T18:00Z", "neither like" },
        { "2027-02-29T18:00Z", "neither like" },
        { "2026-1-22T18:00Z", "neither like" },
        { "-2026-11-22T18:00Z", "neither like" },
        { "2026-11-22T17:59:30Z", "is past" },
        { "1970-01-01T00:00Z", "is past" },
        { "9999-12-31T00:00Z", "more than a year" },
        { "+0", "+0: " },
        { "+-5", "+-5: " },
        { "+", "+: " },
        { "+527041", "not within" },
        { "+99999999999999999999", "+9999" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t unix_s = 7;
        Error err = { 0 };
        if (utc_time_read(&unix_s, rows[i].word, NOW, &err))
            fail_msg("%s is taken for a moment", rows[i].word);
        assert_int_equal(unix_s, 7);
        if (!strstr(err.text, rows[i].part))
            fail_msg("%s: \"%s\" lacks \"%s\"", rows[i].word, err.text, rows[i].part);
    }
}
