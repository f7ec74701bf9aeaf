/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/flood.h"

#include "tests/unit.h"

enum { MIB = 1 << 20 };

static char long_line[MIB]; /* without an end */
static char short_lines[MIB];

static void a_burst_of_long_lines_is_allowed_and_no_byte_more(void **state)
{
    (void)state;
    Flood flood;
    flood_init(&flood, 1000);
    for (int i = 0; i < 8; i++)
        assert_true(flood_allows(&flood, long_line, MIB, 1000));
    assert_false(flood_allows(&flood, long_line, 1, 1000));
}

static void short_lines_use_it_up_sooner(void **state)
{
    (void)state;
    Flood flood;
    flood_init(&flood, 1000);
    memset(short_lines, '\n', sizeof short_lines);
    assert_true(flood_allows(&flood, short_lines, MIB / 16, 1000));
    assert_false(flood_allows(&flood, short_lines, MIB, 1000));
}

static void time_gives_it_back_up_to_a_burst(void **state)
{
    (void)state;
    Flood flood;
    flood_init(&flood, 1000);
    for (int i = 0; i < 8; i++)
        assert_true(flood_allows(&flood, long_line, MIB, 1000));
    assert_true(flood_allows(&flood, long_line, MIB, 1000 + MIB / 256));
    assert_false(flood_allows(&flood, long_line, MIB, 1000 + MIB / 256));
    int64_t later_ms = 1000 * 1000;
    flood_init(&flood, 1000);
    for (int i = 0; i < 8; i++)
        assert_true(flood_allows(&flood, long_line, MIB, later_ms));
    assert_false(flood_allows(&flood, long_line, 1, later_ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_of_long_lines_is_allowed_and_no_byte_more),
        cmocka_unit_test(short_lines_use_it_up_sooner),
        cmocka_unit_test(time_gives_it_back_up_to_a_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
