/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"
#include "tests/support/game_fixture.h"

enum { STAY_MS = 30000, THINK_MS = 60000, DAY_MS = 86400000 };

static void give(GameFixture *f, InputKind kind)
{
    feed(f, &(GameInput){ .kind = kind });
}

static void turn(GameFixture *f, bool is_ours, int64_t left_ms)
{
    GameInput input = { .kind = INPUT_TURN };
    input.turn.is_ours = is_ours;
    input.turn.left_ms = left_ms;
    feed(f, &input);
}

static void correspondence_full(GameFixture *f, const char *moves, const char *status, int left_ms)
{
    char text[1000];
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"speed\":\"correspondence\","
                       "\"variant\":{\"key\":\"standard\"},\"daysPerTurn\":1,\"white\":{\"id\":"
                       "\"castled-bot\"},\"black\":{\"id\":\"alba\"},\"initialFen\":\"startpos\","
                       "\"state\":{\"type\":\"gameState\",\"moves\":\"%s\",\"wtime\":%d,\"btime\":"
                       "86400000,\"winc\":0,\"binc\":0,\"status\":\"%s\"}}",
                       moves, left_ms, status);
    assert_in_range(len, 1, sizeof text - 1);
    feed_line(f, text);
}

static void start_game(GameFixture *f)
{
    const GameOptions options = {
        .overhead_ms = 100, .abort_after_ms = 30000, .search_ms = THINK_MS, .linger_ms = STAY_MS
    };
    game_fixture_init(f, &options);
}

static void find_move(GameFixture *f, const char *uci)
{
    feed_move(f, f->game.search.version, uci);
    assert_non_null(find_effect(f, EFFECT_POST));
}

/* Our move is to be made, and the stream shows it. */
static void come_to_the_board(GameFixture *f)
{
    start_game(f);
    turn(f, true, DAY_MS);
    give(f, INPUT_TURN_GRANTED);
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    correspondence_full(f, "", "started", DAY_MS);
}

GAME_TEST(a_game_on_the_opponents_turn_is_left_alone)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, false, INT64_MAX);
    assert_int_equal(f->todo.count, 0);
    assert_false(game_wants_turn(&f->game));
    assert_int_equal(game_next_at_ms(&f->game), INT64_MAX);
}

GAME_TEST(a_game_on_our_turn_waits_for_its_turn)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, true, DAY_MS);
    assert_int_equal(f->todo.count, 0);
    assert_true(game_wants_turn(&f->game));
    assert_int_equal(f->game.correspondence.deadline_ms, f->now + DAY_MS);
}

GAME_TEST(a_granted_turn_reads_searches_moves_and_sleeps_again)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    assert_false(game_wants_turn(&f->game));
    assert_non_null(find_effect(f, EFFECT_SEARCH));
    SearchLimits limits = { 0 };
    game_search_limits(&f->game, f->now, &limits);
    assert_int_equal(limits.movetime_ms, THINK_MS);
    find_move(f, "e2e4");
    pass_ms(f, 1000);
    correspondence_full(f, "e2e4", "started", DAY_MS);
    assert_false(f->game.correspondence.may_search);
    assert_int_equal(game_next_at_ms(&f->game), f->now + STAY_MS);
    pass_ms(f, STAY_MS - 1);
    assert_null(find_effect(f, EFFECT_CLOSE_STREAM));
    pass_ms(f, 1);
    assert_non_null(find_effect(f, EFFECT_CLOSE_STREAM));
    assert_int_equal(game_next_at_ms(&f->game), INT64_MAX);
    pass_ms(f, 5 * (int64_t)DAY_MS);
    assert_int_equal(f->todo.count, 0);
}

GAME_TEST(an_answer_while_the_stream_is_open_waits_for_its_turn_too)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    find_move(f, "e2e4");
    correspondence_full(f, "e2e4", "started", DAY_MS);
    correspondence_full(f, "e2e4 e7e5", "started", DAY_MS);
    assert_null(find_effect(f, EFFECT_SEARCH));
    assert_true(game_wants_turn(&f->game));
    give(f, INPUT_TURN_GRANTED);
    assert_non_null(find_effect(f, EFFECT_SEARCH));
    assert_null(find_effect(f, EFFECT_OPEN_STREAM));
}

GAME_TEST(what_was_found_is_played_when_a_clock_needs_the_cores)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    assert_non_null(find_effect(f, EFFECT_SEARCH));
    pass_ms(f, 1000);
    give(f, INPUT_MAKE_WAY);
    assert_non_null(find_effect(f, EFFECT_STOP_SEARCH));
    assert_false(game_wants_turn(&f->game));
    find_move(f, "e2e4");
}

GAME_TEST(a_search_that_has_hardly_begun_waits_for_another_turn)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    pass_ms(f, 999);
    give(f, INPUT_MAKE_WAY);
    assert_non_null(find_effect(f, EFFECT_STOP_SEARCH));
    assert_true(game_wants_turn(&f->game));
    pass_ms(f, STAY_MS);
    assert_non_null(find_effect(f, EFFECT_CLOSE_STREAM));
    assert_true(game_wants_turn(&f->game));
    assert_int_equal(f->game.correspondence.deadline_ms, 1000000 + DAY_MS);
    give(f, INPUT_TURN_GRANTED);
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    assert_non_null(
        find_effect(f, EFFECT_SEARCH)); /* the list is known, and most likely the same */
}

GAME_TEST(near_its_deadline_a_game_plays_even_what_it_has_just_found)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, true, DAY_MS / 24);
    give(f, INPUT_TURN_GRANTED);
    give(f, INPUT_MAKE_WAY); /* before it could begin: that keeps it from nothing */
    correspondence_full(f, "", "started", DAY_MS / 24);
    assert_non_null(find_effect(f, EFFECT_SEARCH));
    give(f, INPUT_MAKE_WAY);
    assert_non_null(find_effect(f, EFFECT_STOP_SEARCH));
    assert_false(game_wants_turn(&f->game));
    find_move(f, "e2e4");
}

GAME_TEST(a_move_on_its_way_is_not_delayed)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    find_move(f, "e2e4");
    give(f, INPUT_MAKE_WAY);
    pass_ms(f, STAY_MS);
    assert_false(f->game.correspondence.is_asleep);
    assert_true(outbox_holds(&f->game.outbox, COMMAND_MOVE));
}

GAME_TEST(a_wrong_notice_costs_one_look)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, true, DAY_MS);
    give(f, INPUT_TURN_GRANTED);
    correspondence_full(f, "e2e4", "started", DAY_MS);
    assert_null(find_effect(f, EFFECT_SEARCH));
    assert_false(game_wants_turn(&f->game));
    turn(f, true, DAY_MS); /* from before the stream was opened */
    assert_false(game_wants_turn(&f->game));
    pass_ms(f, STAY_MS);
    assert_true(f->game.correspondence.is_asleep);
}

GAME_TEST(an_end_during_sleep_is_read_in_full)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, false, INT64_MAX);
    feed_finish(f, STATUS_RESIGN, WHITE);
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    correspondence_full(f, "e2e4 e7e5", "resign", DAY_MS);
    assert_non_null(find_effect(f, EFFECT_FINISH));
    assert_int_equal(f->game.sheet.ply, 2);
}

GAME_TEST(an_end_that_nobody_can_read_ends_all_the_same)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, false, INT64_MAX);
    feed_finish(f, STATUS_RESIGN, BLACK);
    pass_ms(f, 60000);
    assert_non_null(find_effect(f, EFFECT_FINISH));
    assert_int_equal(f->game.winner, BLACK);
}

GAME_TEST(a_game_that_the_list_lacks_is_read_again)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, false, INT64_MAX);
    f->now += 10;
    feed(f, &(GameInput){ .kind = INPUT_UNLISTED, .listed = { .asked_ms = f->now } });
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    correspondence_full(f, "e2e4", "started", DAY_MS);
    pass_ms(f, STAY_MS);
    assert_true(f->game.correspondence.is_asleep);
}

GAME_TEST(lines_of_a_stream_that_was_closed_say_nothing)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    find_move(f, "e2e4");
    correspondence_full(f, "e2e4", "started", DAY_MS);
    pass_ms(f, STAY_MS);
    assert_non_null(find_effect(f, EFFECT_CLOSE_STREAM));
    correspondence_full(f, "e2e4 e7e5", "started", DAY_MS);
    assert_int_equal(f->todo.count, 0);
    assert_int_equal(game_ply(&f->game), 1);
    pass_ms(f, STAY_MS);
    assert_int_equal(f->todo.count, 0);
}

GAME_TEST(a_stream_that_is_lost_meanwhile_is_opened_again)
{
    GameFixture *f = *state;
    come_to_the_board(f);
    feed(f, &(GameInput){ .kind = INPUT_STREAM_END, .end = STREAM_LOST });
    for (int i = 0; i < 10 && !find_effect(f, EFFECT_OPEN_STREAM); i++)
        pass_ms(f, game_next_at_ms(&f->game) - f->now);
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    assert_false(f->game.correspondence.is_asleep);
}

GAME_TEST(near_its_deadline_a_game_thinks_for_less)
{
    GameFixture *f = *state;
    start_game(f);
    turn(f, true, 20000);
    give(f, INPUT_TURN_GRANTED);
    correspondence_full(f, "", "started", 20000);
    SearchLimits limits = { 0 };
    game_search_limits(&f->game, f->now, &limits);
    assert_int_equal(limits.movetime_ms, 2000);
    assert_true(game_next_at_ms(&f->game) <= f->now + 10000); /* when it is stopped_early */
}
