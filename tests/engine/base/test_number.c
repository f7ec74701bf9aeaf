/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/number.h"
#include "tests/support/unit.h"

TEST(rows_parse_as_listed)
{
    static const struct {
        const char *text;
        int64_t lo, hi;
        bool ok;
        int64_t value;
    } rows[] = {
        { "0", 0, 10, true, 0 },
        { "-5", -5, 5, true, -5 },
        { "007", 0, 10, true, 7 },
        { "9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX },
        { "-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN },
        { "9223372036854775808", INT64_MIN, INT64_MAX, false, 0 },
        { "-9223372036854775809", INT64_MIN, INT64_MAX, false, 0 },
        { "99999999999999999999999999", INT64_MIN, INT64_MAX, false, 0 },
        { "11", 0, 10, false, 0 },
        { "-6", -5, 5, false, 0 },
        { "", 0, 10, false, 0 },
        { "-", -5, 5, false, 0 },
        { "+1", 0, 10, false, 0 },
        { " 1", 0, 10, false, 0 },
        { "1 ", 0, 10, false, 0 },
        { "1.5", 0, 10, false, 0 },
        { "0x1", 0, 10, false, 0 },
        { "--1", -5, 5, false, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t value = 4711;
        Error err = { 0 };
        bool ok =
            number_parse(rows[i].text, strlen(rows[i].text), rows[i].lo, rows[i].hi, &value, &err);
        if (ok != rows[i].ok || value != (ok ? rows[i].value : 4711) || ok == error_is_set(&err))
            fail_msg("\"%s\": ok %d, value %lld, %s", rows[i].text, ok, (long long)value, err.text);
    }
}

TEST(message_names_text_and_range)
{
    int64_t value;
    Error err = { 0 };
    assert_false(number_parse("99", 2, 1, 64, &value, &err));
    assert_string_equal(err.text, "99 is not within 1..64");
    err = (Error){ 0 };
    assert_false(number_parse("many", 4, 1, 64, &value, &err));
    assert_string_equal(err.text, "\"many\" is not a whole number");
}
