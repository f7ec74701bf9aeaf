/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/duration.h"
#include "tests/unit.h"

static void two_units_at_most_are_written(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_units_at_most_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
