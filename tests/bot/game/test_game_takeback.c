/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takebacks that the opponent proposes. */
#include "tests/support/game_fixture.h"

GAME_TEST(a_takeback_while_we_think_starts_anew)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    uint32_t old = started_search(f);
    feed_taken_back(f, ""); /* both moves */
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    assert_int_not_equal(started_search(f), 0);
    assert_int_not_equal(started_search(f), old);
    assert_non_null(find_note(f, NOTE_TAKEN_BACK));
    feed_moves(f, "e2e4 e7e5");
    uint32_t version = started_search(f);
    feed_taken_back(f, "e2e4"); /* one move: not our turn any more */
    assert_int_equal(started_search(f), 0);
    feed_move(f, version, NULL);
    assert_only_notes(f);
}

GAME_TEST(a_takeback_while_our_move_is_in_flight_forgets_it)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, started_search(f), "g1f3");
    uint32_t ticket = find_post(f, COMMAND_MOVE)->ticket;
    feed_taken_back(f, "");
    uint32_t version = started_search(f);
    assert_int_not_equal(version, 0);
    feed_reply(f, ticket, REPLY_REFUSED);
    assert_only_notes(f);
    feed_move(f, version, "d2d4");
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "d2d4");
}

GAME_TEST(our_late_move_after_a_takeback_is_followed_like_any)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, started_search(f), "g1f3");
    feed_taken_back(f, "");
    assert_int_not_equal(started_search(f), 0);
    feed_moves(f, "g1f3"); /* what was in flight was legal there too */
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    assert_false(game_owes_move(&f->game));
}

GAME_TEST(takebacks_are_granted_as_often_as_configured)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    options.takebacks = 1;
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    GameText proposal = { .moves = "e2e4 e7e5 g1f3", .more = ",\"btakeback\":true" };
    feed_game_state(f, proposal);
    assert_true(find_post(f, COMMAND_TAKEBACK)->command.accepts);
    feed_game_state(f, proposal); /* sent again, answered once */
    assert_null(find_post(f, COMMAND_TAKEBACK));
    feed_moves(f, "e2e4");
    assert_int_equal(f->game.takebacks_granted, 1);
    feed_moves(f, "e2e4 c7c5");
    feed_game_state(f, (GameText){ .moves = "e2e4 c7c5", .more = ",\"btakeback\":true" });
    assert_false(find_post(f, COMMAND_TAKEBACK)->command.accepts);
    feed_game_state(f, (GameText){ .moves = "e2e4 c7c5" });
    feed_game_state(f, (GameText){ .moves = "e2e4 c7c5", .more = ",\"btakeback\":true" });
    assert_false(find_post(f, COMMAND_TAKEBACK)->command.accepts); /* a new proposal */
    feed_game_state(f, (GameText){ .moves = "e2e4 c7c5", .more = ",\"wtakeback\":true" });
    assert_false(find_post(f, COMMAND_TAKEBACK)->command.accepts); /* it is ours: taken back */
}

GAME_TEST(a_yes_to_a_takeback_never_goes_out_beside_a_move)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    options.takebacks = 5;
    GameText proposal = { .moves = "e2e4 e7e5", .more = ",\"btakeback\":true" };

    /* Our move is on its way, and declines. */
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, started_search(f), "g1f3");
    assert_non_null(find_post(f, COMMAND_MOVE));
    feed_game_state(f, proposal);
    assert_null(find_post(f, COMMAND_TAKEBACK));
    assert_false(find_note(f, NOTE_TAKEBACK_ASKED)->is_accepted);

    /* The move is still being searched: it waits for what comes of the yes. */
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    uint32_t version = started_search(f);
    feed_game_state(f, proposal);
    const Post *post = find_post(f, COMMAND_TAKEBACK);
    assert_non_null(post);
    assert_true(post->command.accepts);
    uint32_t ticket = post->ticket;
    feed_move(f, version, "g1f3");
    assert_null(find_post(f, COMMAND_MOVE));
    feed_reply(f, ticket, REPLY_RECEIVED);
    assert_null(find_post(f, COMMAND_MOVE));
    feed_moves(f, "e2e4"); /* done */
    assert_int_equal(f->game.takebacks_granted, 1);
    feed_moves(f, "e2e4 c7c5");
    feed_move(f, started_search(f), "g1f3");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

GAME_TEST(a_yes_that_is_not_obeyed_holds_the_move_for_a_moment_only)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    options.takebacks = 5;
    static const struct {
        Reply reply;
        int least_ms;
    } rows[] = { { REPLY_RECEIVED, 100 }, { REPLY_LOST, 100 }, { REPLY_REFUSED, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &options);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
        feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .more = ",\"btakeback\":true" });
        feed_reply(f, find_post(f, COMMAND_TAKEBACK)->ticket, rows[i].reply);
        int64_t began = f->now;
        while (started_search(f) == 0) {
            pass_until_due(f);
            assert_null(find_post(f, COMMAND_TAKEBACK)); /* twice could be a proposal */
        }
        assert_in_range(f->now - began, rows[i].least_ms, 6000);
        feed_move(f, started_search(f), "g1f3");
        assert_non_null(find_post(f, COMMAND_MOVE));
    }
}

GAME_TEST(a_proposal_that_our_move_has_declined_is_not_accepted)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    options.takebacks = 5;
    GameText shown = { .moves = "e2e4 e7e5 g1f3", .more = ",\"btakeback\":true" };
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_move(f, started_search(f), "g1f3");
    feed_game_state(f, shown); /* the confirmation may still carry it */
    assert_null(find_post(f, COMMAND_TAKEBACK));
    feed_moves(f, "e2e4 e7e5 g1f3");
    assert_null(find_post(f, COMMAND_TAKEBACK));
    feed_game_state(f, shown); /* a new one */
    assert_true(find_post(f, COMMAND_TAKEBACK)->command.accepts);
}
