/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/backoff.h"
#include "tests/support/unit.h"

TEST(the_first_retry_is_at_once_and_later_ones_grow)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        Backoff backoff;
        backoff_init(&backoff, &BACKOFF_GAME_STREAM, seed);
        int64_t now = 1000, distance = BACKOFF_GAME_STREAM.first_ms;
        backoff_attempt(&backoff, now);
        assert_int_equal(backoff_ended_ms(&backoff, now), 0);
        for (int i = 0; i < 12; i++) {
            backoff_attempt(&backoff, now);
            int64_t wait = backoff_ended_ms(&backoff, now);
            assert_in_range(wait, distance / 2, distance + distance / 2);
            now += wait;
            distance = distance * 2 < BACKOFF_GAME_STREAM.most_ms ? distance * 2
                                                                  : BACKOFF_GAME_STREAM.most_ms;
        }
    }
}

TEST(two_seeds_do_not_march_in_step)
{
    Backoff a, b;
    backoff_init(&a, &BACKOFF_EVENT_STREAM, 1);
    backoff_init(&b, &BACKOFF_EVENT_STREAM, 2);
    int same = 0;
    for (int i = 0; i < 20; i++) {
        backoff_attempt(&a, 0);
        backoff_attempt(&b, 0);
        same += backoff_ended_ms(&a, 0) == backoff_ended_ms(&b, 0);
    }
    assert_true(same < 5);
}

TEST(a_connection_that_lived_wipes_the_slate)
{
    Backoff backoff;
    int64_t now = 0;
    backoff_init(&backoff, &BACKOFF_GAME_STREAM, 7);
    for (int i = 0; i < 6; i++) {
        backoff_attempt(&backoff, now);
        now += backoff_ended_ms(&backoff, now);
    }
    backoff_attempt(&backoff, now);
    backoff_opened(&backoff, now);
    now += BACKOFF_GAME_STREAM.good_ms - 1;
    assert_true(backoff_ended_ms(&backoff, now) > 0); /* not long enough */
    assert_int_equal(backoff.short_lives, 1);
    backoff_attempt(&backoff, now);
    backoff_opened(&backoff, now);
    now += BACKOFF_GAME_STREAM.good_ms;
    assert_int_equal(backoff_ended_ms(&backoff, now), 0);
    assert_int_equal(backoff.short_lives, 0);
}

TEST(a_second_client_shows_as_short_lives)
{
    Backoff backoff;
    int64_t now = 0;
    backoff_init(&backoff, &BACKOFF_EVENT_STREAM, 7);
    for (int i = 1; i <= 10; i++) {
        backoff_attempt(&backoff, now);
        backoff_opened(&backoff, now + 50);
        now += 1000;
        int64_t wait = backoff_ended_ms(&backoff, now);
        assert_int_equal(backoff.short_lives, i);
        now += wait;
    }
    backoff_attempt(&backoff, now);
    assert_true(backoff_ended_ms(&backoff, now) > 0); /* never opened: the network, not a client */
    assert_int_equal(backoff.short_lives, 0);
}

/* Whatever happens to the stream: never 30 opens in any 10 minutes. */
TEST(the_event_stream_keeps_under_30_opens_in_10_minutes)
{
    enum { OPENS = 400, WINDOW_MS = 600000 };
    for (uint64_t seed = 0; seed < 60; seed++) {
        static int64_t opens[OPENS];
        Backoff backoff;
        uint64_t random = seed * 77 + 1;
        int64_t now = (int64_t)seed * 12345;
        backoff_init(&backoff, &BACKOFF_EVENT_STREAM, seed);
        for (int i = 0; i < OPENS; i++) {
            opens[i] = now;
            backoff_attempt(&backoff, now);
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned dice = (unsigned)(random >> 40) % 8;
            if (dice < 6)
                backoff_opened(&backoff, now);
            /* Lives of 0 ms to 40 s: some just long enough to count as good. */
            now += dice == 0 ? 0 : seed % 3 == 0 ? 30000 : (int64_t)(random >> 44) % 40000;
            now += backoff_ended_ms(&backoff, now);
            if (i >= 29)
                assert_true(opens[i] - opens[i - 29] >= WINDOW_MS);
        }
    }
}

TEST(attempts_of_an_earlier_life_count_for_the_window)
{
    Backoff before, after;
    int64_t attempts[BACKOFF_WINDOW_MAX];
    backoff_init(&before, &BACKOFF_EVENT_STREAM, 1);
    for (int i = 0; i < 40; i++)
        backoff_attempt(&before, i * 20000);
    int count = backoff_attempts(&before, attempts, 39 * 20000);
    assert_int_equal(count, 30); /* those of the last 10 minutes */
    assert_int_equal(attempts[0], 10 * 20000);
    assert_int_equal(attempts[29], 39 * 20000);
    assert_true(backoff_window_wait_ms(&before, 39 * 20000) > 0);

    backoff_init(&after, &BACKOFF_EVENT_STREAM, 2);
    assert_int_equal(backoff_window_wait_ms(&after, 39 * 20000), 0);
    backoff_restore(&after, attempts, count);
    assert_int_equal(backoff_window_wait_ms(&after, 39 * 20000),
                     backoff_window_wait_ms(&before, 39 * 20000));
    assert_int_equal(backoff_attempts(&after, attempts, 2000000), 0);
}
