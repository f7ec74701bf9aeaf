/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/ratelimit.h"
#include "engine/base/duration.h"
#include "tests/support/unit.h"

enum { MINUTE_MS = 60000, RESERVE_MS = 2000 };

TEST(nobody_waits_at_first)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    for (int family = 0; family < FAMILY_COUNT; family++)
        if (family != FAMILY_MOVE)
            assert_int_equal(ratelimit_wait_ms(&limit, (ApiFamily)family, -5), 0);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, -5), 0);
}

TEST(a_429_stops_its_family_for_a_minute_or_as_told)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_EVENT_STREAM, 0, true, 1000);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_EVENT_STREAM, 1000), MINUTE_MS);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_EVENT_STREAM, 61000), 0);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_GAME_STREAM, 1000), 0);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_OTHER, 1000), 0);

    ratelimit_note(&limit, FAMILY_CHALLENGE, 41230, true, 1000); /* bot.vsBot.day */
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CHALLENGE, 2000), 41229000);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_OTHER, 2000), 0);
    ratelimit_note(&limit, FAMILY_CHALLENGE, 0, true, 3000); /* a shorter one shortens nothing */
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CHALLENGE, 3000), 41228000);
}

TEST(a_proxys_429_stops_the_unimportant_and_no_move)
{
    for (int family = 0; family < FAMILY_COUNT; family++) {
        Ratelimit limit;
        if (family == FAMILY_CREATE)
            continue;
        ratelimit_init(&limit);
        ratelimit_note(&limit, (ApiFamily)family, 0, false, 0);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CHALLENGE, 1), MINUTE_MS - 1);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_OTHER, 1), MINUTE_MS - 1);
        int64_t own = MINUTE_MS - 1;
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_GAME_STREAM, 1),
                         family == FAMILY_GAME_STREAM ? own : 0);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_EVENT_STREAM, 1),
                         family == FAMILY_EVENT_STREAM ? own : 0);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_ACCOUNT, 1),
                         family == FAMILY_ACCOUNT ? own : 0);
        assert_int_equal(ratelimit_move_wait_ms(&limit, 1000000, RESERVE_MS, 1),
                         family == FAMILY_MOVE ? own : 0);
    }
}

TEST(a_429_to_a_challenge_of_ours_stops_those_alone_and_longer_each_time)
{
    static const int64_t minutes[] = { 1, 2, 4, 8, 10, 10 };
    Ratelimit limit;
    ratelimit_init(&limit);
    int64_t now = 0;
    for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++) {
        ratelimit_note(&limit, FAMILY_CREATE, 0, false, now);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CREATE, now), minutes[i] * MINUTE_MS);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CHALLENGE, now), 0);
        assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_OTHER, now), 0);
        now += minutes[i] * MINUTE_MS;
    }
    ratelimit_note_passed(&limit, FAMILY_CREATE);
    ratelimit_note(&limit, FAMILY_CREATE, 0, false, now);
    assert_int_equal(ratelimit_wait_ms(&limit, FAMILY_CREATE, now), MINUTE_MS);
}

TEST(a_limit_on_games_between_bots_stops_challenges_to_bots_only)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_CREATE_BOT, 41230, true, 0);
    assert_int_equal(ratelimit_create_wait_ms(&limit, CHALLENGED_ANYBODY, 0), 0);
    assert_int_equal(ratelimit_create_wait_ms(&limit, CHALLENGED_BOT, 0), 41230000);
    ratelimit_note(&limit, FAMILY_CREATE, 0, false, 0);
    assert_int_equal(ratelimit_create_wait_ms(&limit, CHALLENGED_ANYBODY, 0), MINUTE_MS);
    assert_int_equal(ratelimit_create_wait_ms(&limit, CHALLENGED_BOT, 0), 41230000);
}

TEST(a_move_waits_the_minute_out_when_the_clock_survives_it)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_MOVE, 0, false, 0);
    assert_int_equal(ratelimit_move_wait_ms(&limit, INT64_MAX, RESERVE_MS, 0), MINUTE_MS);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 62001, RESERVE_MS, 0), MINUTE_MS);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 62000, RESERVE_MS, 0), 1000);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, 0), 1000);
    /* 50 s later the rest of the minute is survivable. */
    assert_int_equal(ratelimit_move_wait_ms(&limit, 13000, RESERVE_MS, 50000), 10000);
}

TEST(a_move_in_need_probes_four_times_at_growing_distances)
{
    static const int64_t distances[RATELIMIT_PROBES_MAX] = { 1000, 2000, 4000, 8000 };
    Ratelimit limit;
    ratelimit_init(&limit);
    int64_t now = 500, clock = 40000;
    ratelimit_note_move_sent(&limit, now);
    ratelimit_note(&limit, FAMILY_MOVE, 0, false, now);
    for (int i = 0; i < RATELIMIT_PROBES_MAX; i++) {
        int64_t wait = ratelimit_move_wait_ms(&limit, clock, RESERVE_MS, now);
        assert_int_equal(wait, distances[i]);
        now += wait;
        clock -= wait;
        assert_int_equal(ratelimit_move_wait_ms(&limit, clock, RESERVE_MS, now), 0);
        ratelimit_note_move_sent(&limit, now);
        now += 30; /* the answer: no again */
        ratelimit_note(&limit, FAMILY_MOVE, 0, false, now);
    }
    assert_int_equal(ratelimit_move_wait_ms(&limit, clock, RESERVE_MS, now), MINUTE_MS);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, now), MINUTE_MS);
    /* The next block, later, has probes again. */
    now += MINUTE_MS;
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, now), 0);
    ratelimit_note_move_sent(&limit, now);
    ratelimit_note(&limit, FAMILY_MOVE, 0, false, now);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, now), 1000);
}

TEST(a_probe_that_passes_frees_all_moves)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_MOVE, 0, false, 0);
    ratelimit_note_move_sent(&limit, 1000);
    ratelimit_note_passed(&limit, FAMILY_MOVE);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 0, RESERVE_MS, 1001), 0);
    assert_true(ratelimit_wait_ms(&limit, FAMILY_OTHER, 1001) > 0); /* those wait all the same */
    ratelimit_note_passed(&limit, FAMILY_OTHER);
    assert_true(ratelimit_wait_ms(&limit, FAMILY_OTHER, 1001) > 0);
}

/* For any clock and any answers: at most 4 requests in the minute after the first refusal. */
TEST(a_blocked_minute_sees_few_moves)
{
    for (int64_t clock = 0; clock < 120000; clock += 1500) {
        Ratelimit limit;
        ratelimit_init(&limit);
        ratelimit_note(&limit, FAMILY_MOVE, 0, false, 0);
        int sent = 0;
        for (int64_t now = 0; now < MINUTE_MS; now += 10) {
            int64_t left = duration_until(clock, now);
            if (ratelimit_move_wait_ms(&limit, left, RESERVE_MS, now) > 0)
                continue;
            ratelimit_note_move_sent(&limit, now);
            ratelimit_note(&limit, FAMILY_MOVE, 0, false, now);
            sent++;
        }
        assert_true(sent <= RATELIMIT_PROBES_MAX);
    }
}

TEST(a_probe_that_was_lost_does_not_count)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    ratelimit_note(&limit, FAMILY_MOVE, 0, false, 0);
    for (int64_t now = 1000; now < 20000; now += 1000) { /* the server is away */
        assert_int_equal(ratelimit_move_wait_ms(&limit, 30000, RESERVE_MS, now), 0);
        ratelimit_note_move_sent(&limit, now);
        ratelimit_note_lost(&limit, FAMILY_MOVE);
    }
    ratelimit_note_lost(&limit, FAMILY_OTHER);
    ratelimit_note_move_sent(&limit, 20000);
    assert_int_equal(limit.move_probes, 1);
}

TEST(a_limit_of_an_earlier_life_is_probed_like_any_other)
{
    Ratelimit limit;
    ratelimit_init(&limit);
    assert_int_equal(ratelimit_restore(&limit, FAMILY_MOVE, MINUTE_MS, 10000), MINUTE_MS);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 30000, RESERVE_MS, 10500), 500);
    assert_int_equal(ratelimit_move_wait_ms(&limit, 30000, RESERVE_MS, 12000), 0);
}

/* It was written under a clock that may have been a year ahead, or behind. */
TEST(a_limit_of_an_earlier_life_lasts_no_longer_than_the_server_says_one)
{
    const int64_t year_ms = INT64_C(365) * 24 * 60 * MINUTE_MS;
    static const struct {
        ApiFamily family;
        int64_t most_ms;
    } rows[] = {
        { FAMILY_EVENT_STREAM, MINUTE_MS }, { FAMILY_GAME_STREAM, MINUTE_MS },
        { FAMILY_CHALLENGE, MINUTE_MS },    { FAMILY_CREATE, 24 * 60 * MINUTE_MS },
        { FAMILY_OTHER, MINUTE_MS },        { FAMILY_CHAT, MINUTE_MS },
        { FAMILY_ACCOUNT, MINUTE_MS },      { FAMILY_CREATE_BOT, 24 * 60 * MINUTE_MS },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Ratelimit limit;
        ApiFamily family = rows[i].family;
        ratelimit_init(&limit);
        assert_int_equal(ratelimit_restore(&limit, family, -year_ms, 500), 0);
        assert_int_equal(ratelimit_wait_ms(&limit, family, 500), 0);
        assert_int_equal(ratelimit_restore(&limit, family, 30000, 500), 30000);
        assert_int_equal(ratelimit_wait_ms(&limit, family, 500), 30000);
        assert_int_equal(ratelimit_restore(&limit, family, year_ms, 500), rows[i].most_ms);
        assert_int_equal(ratelimit_wait_ms(&limit, family, 500), rows[i].most_ms);
    }
}
