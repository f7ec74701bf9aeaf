/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the clocks of a game say, and what the way to the server costs. */
#include "tests/support/game_fixture.h"

GAME_TEST(a_moves_lag_is_what_the_servers_clock_lost_beyond_our_thinking)
{
    GameFixture *f = *state;
    static const struct {
        const char *name;
        const char *before, *after;
        int clock_ms, left_ms, echo_ms;
        int lag_ms;
    } rows[] = {
        { "the clock does not run yet", "", "e2e4", 60000, 60000, 70, 70 },
        { "it runs", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 58900, 250, 100 },
        { "nothing lost", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 59000, 250, 0 },
        { "time was given", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 74000, 250, 250 },
        { "the echo was lost", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6", 60000, 50000, 900, 900 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .moves = rows[i].before, .clock_ms = rows[i].clock_ms });
        uint32_t version = started_search(f);
        f->now += 1000;
        feed_move(f, version, rows[i].before[0] ? "g1f3" : "e2e4");
        f->now += rows[i].echo_ms;
        feed_game_state(f, (GameText){ .moves = rows[i].after, .clock_ms = rows[i].left_ms });
        const Note *note = find_note(f, NOTE_CONFIRMED);
        assert_non_null(note);
        if (note->lag_ms != rows[i].lag_ms)
            fail_msg("%s: %d", rows[i].name, (int)note->lag_ms);
        assert_int_equal(f->game.lag.delay_ms[0], rows[i].lag_ms);
    }
}

GAME_TEST(the_first_move_knows_the_accounts_lag)
{
    GameFixture *f = *state;
    static const GameOptions measured = { .overhead_ms = OVERHEAD_AUTO };
    GameAccount account = { .our_id = "castled-bot", .limit = &f->limit };
    lag_meter_add(&account.lag, 400);
    game_init(&f->game, "Qw8rTy2u", &account, &measured, 7, f->now);
    feed(f, &(GameInput){ .kind = INPUT_TIME });
    feed_game_full(f, (GameText){ 0 });
    SearchLimits limits = { 0 };
    assert_int_equal(game_lag(&f->game).usual_ms, 400);
    game_search_limits(&f->game, f->now, &limits);
    assert_in_range(limits.time_ms[WHITE], 60000 - 70 * 400 - 400, 60000 - 69 * 400);
}

GAME_TEST(an_untold_clock_is_reckoned_from_the_one_before)
{
    GameFixture *f = *state;
    static const char *const clocks[] = { "", "\"wtime\":null,\"btime\":null," };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        char text[200];
        SearchLimits limits = { 0 };
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
        f->now += 4000;
        feed_moves(f, "e2e4 e7e5 g1f3"); /* in the line: 60 s each */
        f->now += 5000;
        int len = snprintf(text, sizeof text,
                           "{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5 g1f3 b8c6\",%s"
                           "\"status\":\"started\"}",
                           clocks[i]);
        assert_in_range(len, 1, sizeof text - 1);
        feed_line(f, text);
        assert_int_not_equal(started_search(f), 0);
        f->now += 1000;
        game_search_limits(&f->game, f->now, &limits);
        assert_in_range(limits.time_ms[WHITE], 45000, 59000);
        assert_int_equal(limits.time_ms[BLACK], 55000);
    }
}

GAME_TEST(a_clock_that_no_line_tells_is_the_games_own)
{
    GameFixture *f = *state;
    SearchLimits limits = { 0 };
    feed_line(f,
              "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"standard\"},"
              "\"clock\":{\"initial\":60000,\"increment\":2000},\"speed\":\"blitz\","
              "\"white\":{\"id\":\"castled-bot\"},\"black\":{\"id\":\"alba\"},"
              "\"initialFen\":\"startpos\","
              "\"state\":{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5\",\"status\":\"started\"}}");
    game_search_limits(&f->game, f->now, &limits);
    assert_in_range(limits.time_ms[WHITE], 45000, 60000);
    assert_int_equal(limits.time_ms[BLACK], 60000);
    assert_int_equal(limits.increment_ms[BLACK], 2000);
}

GAME_TEST(a_first_move_in_an_arena_comes_before_its_own_deadline)
{
    GameFixture *f = *state;
    SearchLimits limits = { 0 };
    feed_game_full(
        f, (GameText){ .is_tournament = true,
                       .clock_ms = 600000,
                       .more = ",\"expiration\":{\"idleMillis\":5000,\"millisToMove\":20000}" });
    int64_t began = f->now;
    game_search_limits(&f->game, f->now, &limits);
    assert_in_range(limits.movetime_ms, 1, 12000);
    for (int i = 0; i < 3 && !find_post(f, COMMAND_MOVE); i++)
        pass_until_due(f); /* the search is silent */
    assert_non_null(find_post(f, COMMAND_MOVE));
    assert_in_range(f->now - began, 5000, 14900);
}

GAME_TEST(only_the_first_moves_have_such_a_deadline)
{
    GameFixture *f = *state;
    SearchLimits limits = { 0 };
    feed_game_full(
        f, (GameText){ .is_tournament = true,
                       .we_are_black = true,
                       .more = ",\"expiration\":{\"idleMillis\":5000,\"millisToMove\":20000}" });
    feed_game_state(f, (GameText){ .moves = "e2e4" });
    game_search_limits(&f->game, f->now, &limits);
    assert_int_equal(limits.movetime_ms, 0);
}

GAME_TEST(the_servers_half_second_against_its_engine_is_no_lag)
{
    GameFixture *f = *state;
    static const GameOptions measured = { .overhead_ms = OVERHEAD_AUTO };
    SearchLimits limits = { 0 };
    game_fixture_start(f, &measured);
    feed_game_full(f, (GameText){ .is_ai = true, .moves = "e2e4 e7e5" });
    uint32_t version = started_search(f);
    f->now += 1000;
    feed_move(f, version, "g1f3");
    f->now += 540;
    feed_game_state(f, (GameText){ .is_ai = true, .moves = "e2e4 e7e5 g1f3", .clock_ms = 58460 });
    assert_int_equal(find_note(f, NOTE_CONFIRMED)->lag_ms, 40);
    assert_int_equal(f->game.lag.delay_ms[0], 40);
    feed_game_state(f, (GameText){ .is_ai = true, .moves = "e2e4 e7e5 g1f3 b8c6" });
    game_search_limits(&f->game, f->now, &limits);
    assert_in_range(limits.time_ms[WHITE], 1, 60000 - 60 * 500); /* but it is kept back */
}
