/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/gauntlet_plan.h"
#include "tests/support/unit.h"

static Gauntlet gauntlet;

static void make(const char *const *names, size_t count, int games)
{
    UserList list = { 0 };
    ChallengeRequest request;
    assert_true(challenge_request_read(&request, text_of("somebody 3+2 rated"), NULL));
    for (size_t i = 0; i < count; i++)
        assert_true(user_list_add(&list, text_of(names[i]), NULL));
    user_list_sort(&list);
    assert_true(gauntlet_init(&gauntlet, &list, &request, games, NULL));
    user_list_release(&list);
}

static void make_two(int games)
{
    static const char *const names[] = { "berta", "Alba" };
    make(names, 2, games);
}

static GameRecord game_with(const char *id, Colour us, Colour winner)
{
    GameRecord record = { .us = us, .winner = winner, .status = STATUS_MATE, .rated = true };
    record.variant = VARIANT_STANDARD;
    record.time = (TimeControl){ .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 };
    Player *them = &record.players[colour_other(us)];
    text_copy(them->id, sizeof them->id, text_of(id));
    them->rating = 2000;
    return record;
}

static void count(const char *id, Colour us, Colour winner)
{
    const GameRecord record = game_with(id, us, winner);
    gauntlet_count(&gauntlet, &record);
}

static const char *next_at(int64_t now_ms)
{
    int64_t at_ms;
    const GauntletPlayer *next = gauntlet_next(&gauntlet, now_ms, &at_ms);
    return next ? next->id : at_ms == INT64_MAX ? "over" : "wait";
}

TEST(those_with_the_fewest_games_are_next)
{
    make_two(2);
    assert_string_equal(next_at(0), "alba");
    count("alba", WHITE, WHITE);
    assert_string_equal(next_at(0), "berta");
    count("berta", BLACK, WHITE);
    assert_string_equal(next_at(0), "alba");
    count("alba", BLACK, COLOUR_NONE);
    count("berta", WHITE, WHITE);
    assert_string_equal(next_at(0), "over");
}

TEST(colours_are_by_turns_and_differ_between_neighbours)
{
    make_two(2);
    assert_int_equal(gauntlet_request(&gauntlet, &gauntlet.players[0]).colour, WHITE);
    assert_int_equal(gauntlet_request(&gauntlet, &gauntlet.players[1]).colour, BLACK);
    count("alba", WHITE, WHITE);
    const ChallengeRequest second = gauntlet_request(&gauntlet, &gauntlet.players[0]);
    assert_int_equal(second.colour, BLACK);
    assert_string_equal(second.opponent, "alba");
    assert_true(second.rated && second.base_s == 180 && second.increment_s == 2);
}

TEST(other_games_do_not_count)
{
    GameRecord records[6];
    make_two(2);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        records[i] = game_with("alba", WHITE, WHITE);
    records[0].time.base_s = 60;
    records[1].time.increment_s = 0;
    records[2].rated = false;
    records[3].variant = VARIANT_CHESS960;
    records[4].status = STATUS_ABORTED;
    records[5].time.kind = TIME_UNLIMITED;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        gauntlet_count(&gauntlet, &records[i]);
    count("stranger", WHITE, WHITE);
    assert_int_equal(gauntlet.players[0].games, 0);
    count("alba", WHITE, WHITE);
    gauntlet_recount(&gauntlet);
    assert_int_equal(gauntlet.players[0].games, 0);
}

TEST(who_refuses_is_asked_again_later_and_left_out_at_last)
{
    int64_t now = 1000;
    make_two(1);
    count("berta", WHITE, WHITE);
    for (int i = 0; i < GAUNTLET_TRIES; i++) {
        assert_string_equal(next_at(now), "alba");
        gauntlet_refused(&gauntlet.players[0], now);
        if (i + 1 < GAUNTLET_TRIES)
            assert_string_equal(next_at(now), "wait");
        now += GAUNTLET_RETRY_MS;
    }
    assert_string_equal(next_at(now), "over");
    make_two(1);
    gauntlet_refused(&gauntlet.players[0], 0);
    assert_string_equal(next_at(0), "berta");
    gauntlet_accepted(&gauntlet.players[0]);
    assert_string_equal(next_at(0), "alba");
}

TEST(a_table_has_each_player_and_all)
{
    Buf table;
    make_two(2);
    count("alba", WHITE, WHITE);
    count("alba", BLACK, COLOUR_NONE);
    count("berta", WHITE, BLACK);
    for (int i = 0; i < GAUNTLET_TRIES; i++)
        gauntlet_refused(&gauntlet.players[1], 0);
    buf_init(&table, 10000);
    assert_true(gauntlet_table(&gauntlet, &table));
    assert_string_equal(
        buf_view(&table),
        " games    won  drawn   lost    score  opponents  performance  opponent\n"
        "     2      1      1      0   75.0 %       2000         2191  alba\n"
        "     1      0      0      1    0.0 %       2000         1200  berta (refused)\n"
        "     3      1      1      1   50.0 %       2000         2000  all\n");
    buf_release(&table);
}

TEST(a_list_has_somebody_and_not_too_many)
{
    Error err = { 0 };
    const ChallengeRequest request = { .base_s = 60 };
    UserList list = { 0 };
    assert_false(gauntlet_init(&gauntlet, &list, &request, 1, &err));
    assert_string_equal(err.text, "0 names; a gauntlet has 1 to 256");
}
