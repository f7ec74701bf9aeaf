/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/broadcast.h"
#include "tests/support/unit.h"

static char letter(uint64_t at)
{
    return (char)('a' + at % 23);
}

/* Bytes that follow from their place. */
static void put(Broadcast *broadcast, size_t len)
{
    char *bytes = malloc(len);
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = letter(broadcast->end + i);
    broadcast_put(broadcast, bytes, len);
    free(bytes);
}

TEST(each_reader_gets_all_bytes_in_order)
{
    Broadcast broadcast;
    uint64_t at[3] = { 0 };
    char got[70000];
    assert_true(broadcast_init(&broadcast));
    for (int turn = 0; turn < 60; turn++) { /* several times around the ring */
        put(&broadcast, 65537);
        for (int reader = 0; reader < 3; reader++) {
            size_t len, size = reader == 0 ? 1000 : sizeof got;
            uint64_t from = at[reader];
            while (broadcast_read(&broadcast, &at[reader], got, size, &len) == BROADCAST_READ) {
                assert_in_range(len, 1, size);
                assert_int_equal(at[reader] - from, len);
                for (size_t i = 0; i < len; i++)
                    if (got[i] != letter(from + i))
                        fail_msg("reader %d, byte %llu", reader, (unsigned long long)(from + i));
                from = at[reader];
            }
            assert_int_equal(at[reader], broadcast.end);
        }
    }
    broadcast_release(&broadcast);
}

TEST(who_falls_behind_by_more_than_the_ring_is_lost)
{
    Broadcast broadcast;
    uint64_t at = 0, other = 1;
    char got[10];
    size_t len;
    assert_true(broadcast_init(&broadcast));
    assert_int_equal(broadcast_read(&broadcast, &at, got, sizeof got, &len), BROADCAST_NONE);
    put(&broadcast, BROADCAST_SIZE);
    put(&broadcast, 1);
    assert_int_equal(broadcast_read(&broadcast, &at, got, sizeof got, &len), BROADCAST_LOST);
    assert_int_equal(broadcast_read(&broadcast, &other, got, sizeof got, &len), BROADCAST_READ);
    assert_int_equal(len, sizeof got);
    assert_int_equal(got[0], letter(1));
    broadcast_release(&broadcast);
}
