/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/recent_games.h"

#include "engine/base/duration.h"
#include "tests/support/unit.h"

TEST(games_are_counted_by_player_and_time)
{
    RecentGames recent_games;
    recent_games_init(&recent_games);
    recent_games_note(&recent_games, text_of("alba"), 1000);
    recent_games_note(&recent_games, text_of("bert"), 2000);
    recent_games_note(&recent_games, text_of("alba"), 2000 + DURATION_HOUR_MS);
    int64_t now = 2000 + DURATION_HOUR_MS;
    assert_int_equal(recent_games_count(&recent_games, text_of("alba"), DURATION_HOUR_MS, now), 1);
    assert_int_equal(recent_games_count(&recent_games, text_of("alba"), DURATION_DAY_MS, now), 2);
    assert_int_equal(recent_games_count(&recent_games, text_of("bert"), DURATION_DAY_MS, now), 1);
    assert_int_equal(recent_games_count(&recent_games, text_of("alb"), DURATION_DAY_MS, now), 0);
    now += DURATION_DAY_MS;
    assert_int_equal(recent_games_count(&recent_games, text_of("alba"), DURATION_DAY_MS, now), 0);
}

TEST(nobody_is_not_remembered)
{
    RecentGames recent_games;
    char longest[USER_ID_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    longest[USER_ID_SIZE] = '\0';
    recent_games_init(&recent_games);
    recent_games_note(&recent_games, (Text){ 0 }, 1);
    recent_games_note(&recent_games, text_of(longest), 1);
    assert_int_equal(recent_games.count, 0);
    recent_games_note(&recent_games, text_of(longest + 1), 1);
    assert_int_equal(recent_games_count(&recent_games, text_of(longest + 1), 10, 2), 1);
}

TEST(the_oldest_are_forgotten)
{
    RecentGames recent_games;
    recent_games_init(&recent_games);
    recent_games_note(&recent_games, text_of("first"), 0);
    for (int i = 0; i < RECENT_GAMES_MAX; i++)
        recent_games_note(&recent_games, text_of("other"), 1);
    assert_int_equal(recent_games_count(&recent_games, text_of("first"), 10, 2), 0);
    assert_int_equal(recent_games_count(&recent_games, text_of("other"), 10, 2), RECENT_GAMES_MAX);
}
