/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operator orders in a game. We are White unless said otherwise. */
#include "bot/game/orders.h"
#include "tests/support/game_fixture.h"

static void feed_order(GameFixture *f, GameOrder order)
{
    Error err = { 0 };
    if (!orders_may(&f->game, order, &err))
        fail_msg("%s", err.text);
    feed(f, &(GameInput){ .kind = INPUT_ORDER, .order = order });
}

static void expect_refusal(const GameFixture *f, GameOrder order, const char *why)
{
    Error err = { 0 };
    assert_false(orders_may(&f->game, order, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: \"%s\" is not in \"%s\"", orders_name(order), why, err.text);
}

GAME_TEST(a_resignation_goes_out_at_once_on_either_sides_turn)
{
    GameFixture *f = *state;
    static const char *const lists[] = { "e2e4 e7e5", "e2e4 e7e5 g1f3" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .moves = lists[i] });
        feed_order(f, ORDER_RESIGN);
        assert_non_null(find_post(f, COMMAND_RESIGN));
    }
}

GAME_TEST(an_ordered_resignation_outlives_a_reply_that_ends_one_of_our_own)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, f->game.search.version, "g1f3");
    uint32_t move = find_post(f, COMMAND_MOVE)->ticket;
    feed_order(f, ORDER_RESIGN);
    assert_null(find_post(f, COMMAND_RESIGN)); /* the move's answer comes first */
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6");
    assert_non_null(find_post(f, COMMAND_RESIGN));
    feed_reply(f, move, REPLY_RECEIVED);
    assert_true(outbox_holds(&f->game.outbox, COMMAND_RESIGN));
}

GAME_TEST(a_lost_resignation_is_sent_again_a_refused_one_is_not)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    feed_order(f, ORDER_RESIGN);
    feed_reply(f, find_post(f, COMMAND_RESIGN)->ticket, REPLY_LOST);
    pass_ms(f, 2000);
    assert_non_null(find_post(f, COMMAND_RESIGN));
    feed_reply(f, find_post(f, COMMAND_RESIGN)->ticket, REPLY_REFUSED);
    assert_false(outbox_holds(&f->game.outbox, COMMAND_RESIGN));
}

GAME_TEST(a_game_is_aborted_before_both_have_moved_and_not_later)
{
    GameFixture *f = *state;
    static const char *const lists[] = { "", "e2e4" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .moves = lists[i] });
        feed_order(f, ORDER_ABORT);
        assert_non_null(find_post(f, COMMAND_ABORT));
        uint32_t ticket = find_post(f, COMMAND_ABORT)->ticket;
        feed_moves(f, "e2e4 e7e5");
        feed_reply(f, ticket, REPLY_LOST);
        pass_ms(f, 10000);
        assert_null(find_post(f, COMMAND_ABORT));
        expect_refusal(f, ORDER_ABORT, "too late to abort");
    }
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ .is_tournament = true });
    expect_refusal(f, ORDER_ABORT, "tournament");
}

GAME_TEST(an_ordered_draw_goes_with_our_next_move_whatever_the_score)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    feed_order(f, ORDER_DRAW);
    assert_only_notes(f);
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6");
    feed_choice(f, (MoveChoice){ .version = f->game.search.version, .score = 900, .depth = 9 },
                "f1b5");
    assert_true(find_post(f, COMMAND_MOVE)->command.offers_draw);
    assert_non_null(find_note(f, NOTE_OFFERS_DRAW));
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6 f1b5");
    expect_refusal(f, ORDER_DRAW, "1 plies old");
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    feed_move(f, f->game.search.version, "b5a4");
    assert_false(find_post(f, COMMAND_MOVE)->command.offers_draw);
}

GAME_TEST(an_ordered_draw_accepts_what_stands)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .more = ",\"bdraw\":true" });
    f->game.eval_history.offered_at_ply = 1; /* which is no obstacle to a yes */
    feed_order(f, ORDER_DRAW);
    feed_move(f, f->game.search.version, "g1f3");
    assert_true(find_post(f, COMMAND_MOVE)->command.offers_draw);
}

GAME_TEST(what_the_server_would_ignore_is_refused_with_the_reason)
{
    GameFixture *f = *state;
    expect_refusal(f, ORDER_RESIGN, "not read from the server yet");
    feed_game_full(f, (GameText){ .moves = "e2e4" });
    expect_refusal(f, ORDER_DRAW, "before both have moved");
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .is_ai = true });
    expect_refusal(f, ORDER_DRAW, "takes no draw offer");
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .variant = "bughouse" });
    expect_refusal(f, ORDER_DRAW, "can't play");
    feed_order(f, ORDER_RESIGN);
    assert_non_null(find_post(f, COMMAND_RESIGN));
    feed_finish(f, STATUS_RESIGN, BLACK);
    expect_refusal(f, ORDER_RESIGN, "over");
}
