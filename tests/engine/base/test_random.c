/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"

#include "tests/support/unit.h"

TEST(sequence_is_that_of_the_published_generator)
{
    /* First outputs for seed 0, and for 1234567, of the authors' and of others' programs. */
    static const struct {
        uint64_t seed, numbers[3];
    } rows[] = {
        { 0, { 0xe220a8397b1dcdafULL, 0x6e789e6aa1b965f4ULL, 0x06c45d188009454fULL } },
        { 1234567, { 6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t random = rows[i].seed;
        for (int j = 0; j < 3; j++)
            assert_true(random_next(&random) == rows[i].numbers[j]);
    }
}

TEST(numbers_stay_below_their_limit_and_reach_it)
{
    uint64_t random = 7;
    for (uint64_t limit = 1; limit <= 20; limit++) {
        uint64_t seen = 0;
        for (int i = 0; i < 1000; i++) {
            uint64_t n = random_below(&random, limit);
            assert_true(n < limit);
            seen |= 1ULL << n;
        }
        assert_true(seen == (1ULL << limit) - 1);
    }
}
