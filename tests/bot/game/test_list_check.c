/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I13 of bot/README.md where the game's stream does not show all: moves that the account's
 * list alone has, lists of moves out of order, and games that are no more. */
#include "tests/support/game_fixture.h"

static void feed_listed(GameFixture *f, bool is_our_turn)
{
    feed(f, &(GameInput){ .kind = INPUT_LISTED, .listed = { is_our_turn, f->now } });
}

static void feed_unlisted(GameFixture *f)
{
    feed(f, &(GameInput){ .kind = INPUT_UNLISTED, .listed = { .asked_ms = f->now } });
}

/* Passes time until the list is asked for; returns how much. */
static int64_t wait_for_question(GameFixture *f)
{
    const int64_t began = f->now;
    do
        pass_until_due(f);
    while (!find_effect(f, EFFECT_ASK_LIST));
    return f->now - began;
}

static void start_on_their_turn(GameFixture *f)
{
    GameOptions options = GAME_USUAL_OPTIONS;
    options.abort_after_ms = 0;
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .we_are_black = true });
    f->now += 10; /* the list's answer is later than the stream's line */
}

GAME_TEST(the_list_is_asked_after_some_silence_on_their_turn)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    assert_in_range(wait_for_question(f), 14000, 16000);
    feed_listed(f, false);
    assert_int_equal(f->todo.count, 0);
    assert_in_range(wait_for_question(f), 25000, 31000);
    assert_in_range(wait_for_question(f), 25000, 60000); /* no answer: once more */
    feed_listed(f, false);
    assert_in_range(wait_for_question(f), 55000, 61000);
    feed_moves(f, "e2e4");
    for (int i = 0; i < 100; i++) { /* what becomes of our move is the outbox's to ask */
        assert_null(find_effect(f, EFFECT_ASK_LIST));
        pass_ms(f, 100);
    }
}

GAME_TEST(a_move_that_only_the_list_has_is_read_from_a_new_stream)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    wait_for_question(f);
    feed_listed(f, true);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 0); /* it may be on its way */
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    assert_non_null(find_note(f, NOTE_UNSEEN));
    feed_game_full(f, (GameText){ .we_are_black = true, .moves = "e2e4" });
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(a_move_that_was_on_its_way_costs_no_stream)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    wait_for_question(f);
    feed_listed(f, true);
    f->now += 200;
    feed_moves(f, "e2e4");
    assert_int_not_equal(started_search(f), 0);
    for (int i = 0; i < 30; i++) {
        pass_ms(f, 100);
        assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 0);
    }
}

GAME_TEST(a_list_that_is_older_than_the_stream_says_nothing)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ 0 });
    int64_t asked = f->now;
    f->now += 50;
    feed_moves(f, "e2e4"); /* ours; the list still has us to move */
    feed(f, &(GameInput){ .kind = INPUT_LISTED, .listed = { true, asked } });
    feed(f, &(GameInput){ .kind = INPUT_UNLISTED, .listed = { .asked_ms = asked } });
    for (int i = 0; i < 50; i++) {
        assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 0);
        pass_ms(f, 100);
    }
}

GAME_TEST(no_game_is_aborted_in_which_the_list_has_a_move)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .we_are_black = true });
    f->now += 10;
    wait_for_question(f);
    feed_listed(f, false);
    wait_for_question(f); /* before the abort */
    assert_in_range(f->now - 1000000, 29000, 31000);
    assert_null(find_post(f, COMMAND_ABORT));
    feed_listed(f, true);
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    assert_null(find_post(f, COMMAND_ABORT));
    feed_game_full(f, (GameText){ .we_are_black = true, .moves = "e2e4" });
    assert_int_not_equal(started_search(f), 0);
    for (int i = 0; i < 600; i++) {
        assert_null(find_post(f, COMMAND_ABORT));
        pass_ms(f, 100);
    }
}

GAME_TEST(a_list_that_never_answers_delays_the_abort_for_a_while)
{
    GameFixture *f = *state;
    int64_t began = f->now;
    feed_game_full(f, (GameText){ .we_are_black = true });
    while (!find_post(f, COMMAND_ABORT))
        pass_until_due(f);
    assert_in_range(f->now - began, 35000, 61000);
}

/* ---- out of order ---- */

GAME_TEST(a_game_full_that_a_move_has_overtaken_is_read_again)
{
    GameFixture *f = *state;
    feed_moves(f, "e2e4");
    feed_game_full(f, (GameText){ .we_are_black = true });
    assert_int_equal(f->game.phase, GAME_JOINING);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
    if (!find_effect(f, EFFECT_OPEN_STREAM))
        pass_until_due(f);
    feed_game_full(f, (GameText){ .we_are_black = true, .moves = "e2e4" });
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(a_move_on_a_new_stream_is_newer_than_its_game_full)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    feed_stream_end(f, STREAM_LOST);
    if (!find_effect(f, EFFECT_OPEN_STREAM))
        pass_until_due(f);
    feed_moves(f, "e2e4");
    uint32_t version = started_search(f);
    assert_int_not_equal(version, 0);
    feed_game_full(f, (GameText){ .we_are_black = true });
    assert_null(find_note(f, NOTE_TAKEN_BACK));
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
    feed_move(f, version, "e7e5");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

GAME_TEST(an_old_list_takes_nothing_back)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    uint32_t version = started_search(f);
    f->now += 20000;
    feed_moves(f, "e2e4");
    assert_null(find_note(f, NOTE_TAKEN_BACK));
    assert_non_null(find_note(f, NOTE_OLD_STATE));
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, version, "g1f3");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

GAME_TEST(a_takeback_that_nobody_asked_for_is_followed_from_the_new_stream)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    f->now += 20000;
    feed_moves(f, "");
    feed_game_full(f, (GameText){ .moves = "" });
    assert_non_null(find_note(f, NOTE_TAKEN_BACK));
    assert_int_not_equal(started_search(f), 0);
    feed_moves(f, "d2d4");
    assert_int_equal(f->game.phase, GAME_PLAYING);
}

GAME_TEST(an_old_list_ends_the_game_if_it_says_so)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_game_state(f, (GameText){ .moves = "e2e4", .status = "resign" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
}

/* ---- games that are no more ---- */

GAME_TEST(a_stream_with_nothing_but_keep_alives_is_opened_again)
{
    GameFixture *f = *state;
    pass_ms(f, 29000);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 0);
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
}

GAME_TEST(a_healthy_stream_is_left_alone)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    f->now += 5000;
    feed_unlisted(f);
    assert_int_equal(f->todo.count, 0);
    f->now += 10000;
    feed_unlisted(f);
    assert_non_null(find_note(f, NOTE_UNLISTED));
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
}

/* The stream fails at once whenever it is opened, and each list answers in the same way. */
static int64_t let_go_after_ms(GameFixture *f, bool is_listed, int64_t most_ms)
{
    const int64_t began = f->now;
    feed_stream_end(f, STREAM_LOST);
    while (f->now - began < most_ms) {
        if (find_effect(f, EFFECT_FINISH))
            return f->now - began;
        if (find_effect(f, EFFECT_ASK_LIST) && is_listed)
            feed_listed(f, true);
        else if (find_effect(f, EFFECT_ASK_LIST))
            feed_unlisted(f);
        else if (find_effect(f, EFFECT_OPEN_STREAM))
            feed_stream_end(f, STREAM_LOST);
        else
            pass_until_due(f);
    }
    return INT64_MAX;
}

GAME_TEST(a_game_that_neither_list_nor_stream_has_is_let_go)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    assert_in_range(let_go_after_ms(f, false, 600000), 120000, 300000);
    assert_non_null(find_note(f, NOTE_LET_GO));
    game_fixture_start(f, &GAME_USUAL_OPTIONS); /* never read at all */
    assert_in_range(let_go_after_ms(f, false, 600000), 120000, 300000);
}

GAME_TEST(a_game_that_the_list_has_is_held)
{
    GameFixture *f = *state;
    start_on_their_turn(f);
    assert_true(let_go_after_ms(f, true, 3600000) == INT64_MAX);
}

GAME_TEST(a_game_beyond_our_rules_is_let_go_when_the_list_lacks_it)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .variant = "bughouse" });
    feed_reply(f, find_post(f, COMMAND_ABORT)->ticket, REPLY_RECEIVED); /* received, not done */
    for (int64_t end = f->now + 600000; f->now < end && !find_effect(f, EFFECT_FINISH);) {
        if (find_effect(f, EFFECT_ASK_LIST))
            feed_unlisted(f);
        else if (find_effect(f, EFFECT_OPEN_STREAM))
            feed_game_full(f, (GameText){ .variant = "bughouse" });
        else
            pass_until_due(f);
    }
    assert_non_null(find_note(f, NOTE_LET_GO));
}
