/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/flood.h"

#include "tests/support/unit.h"

enum { MIB = 1 << 20 };

static char long_line[MIB]; /* without an end */
static char short_lines[MIB];

TEST(a_burst_of_long_lines_is_allowed_and_no_byte_more)
{
    Flood flood;
    flood_init(&flood, 1000);
    for (int i = 0; i < 8; i++)
        assert_true(flood_allows(&flood, long_line, MIB, 1000));
    assert_false(flood_allows(&flood, long_line, 1, 1000));
}

TEST(short_lines_use_it_up_sooner)
{
    Flood flood;
    flood_init(&flood, 1000);
    memset(short_lines, '\n', sizeof short_lines);
    assert_true(flood_allows(&flood, short_lines, MIB / 16, 1000));
    assert_false(flood_allows(&flood, short_lines, MIB, 1000));
}

TEST(time_gives_it_back_up_to_a_burst)
{
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

TEST(connections_may_send_more_but_not_without_end)
{
    Flood flood;
    flood_init_connections(&flood, 1000);
    for (int i = 0; i < 11; i++)
        assert_true(flood_allows_record(&flood, MIB, 1000));
    assert_false(flood_allows_record(&flood, MIB, 1000));
    flood_init_connections(&flood, 1000);
    int64_t now_ms = 1000;
    for (int i = 0; i < 1000; i++, now_ms += 300) /* 3.5 MB/s */
        assert_true(flood_allows_record(&flood, MIB, now_ms));
}

TEST(empty_records_use_it_up_too)
{
    Flood flood;
    int count = 0;
    flood_init_connections(&flood, 1000);
    while (flood_allows_record(&flood, 0, 1000))
        count++;
    assert_in_range(count, 100000, 300000);
}
