/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I16 of bot/README.md: how games end, by claims, aborts and the server's word. */
#include "tests/support/game_fixture.h"

static const GameOptions claiming_options = { .overhead_ms = 100, .claim = CLAIM_VICTORY };

static void feed_gone(GameFixture *f, const char *correspondence)
{
    char text[100];
    assert_true(snprintf(text, sizeof text, "{\"type\":\"opponentGone\",%s}", correspondence) > 0);
    feed_line(f, text);
}

GAME_TEST(whoever_returns_unannounced_is_not_claimed_from)
{
    GameFixture *f = *state;
    game_fixture_start(f, &claiming_options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":20");
    pass_ms(f, 5000);
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":15"); /* and then there is no line more */
    pass_ms(f, 60000);
    assert_null(find_post(f, COMMAND_CLAIM));
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":5");
    pass_ms(f, 5000);
    const Post *post = find_post(f, COMMAND_CLAIM);
    assert_non_null(post);
    feed_reply(f, post->ticket, REPLY_REFUSED); /* somebody is there */
    pass_ms(f, 60000);
    assert_null(find_post(f, COMMAND_CLAIM));
}

GAME_TEST(nothing_is_claimed_by_a_countdown_from_before_the_stream_was_opened)
{
    GameFixture *f = *state;
    game_fixture_start(f, &claiming_options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":8");
    feed_stream_end(f, STREAM_LOST);
    pass_ms(f, 9000); /* they may have come back meanwhile */
    assert_null(find_post(f, COMMAND_CLAIM));
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    pass_ms(f, 9000);
    assert_null(find_post(f, COMMAND_CLAIM));
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":0");
    assert_non_null(find_post(f, COMMAND_CLAIM));
}

GAME_TEST(a_server_that_refuses_claims_is_not_asked_for_ever)
{
    GameFixture *f = *state;
    int claims = 0;
    game_fixture_start(f, &claiming_options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    for (int i = 0; i < 50; i++) {
        feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":0");
        const Post *post = find_post(f, COMMAND_CLAIM);
        claims += post != NULL;
        if (post)
            feed_reply(f, post->ticket, REPLY_REFUSED);
        pass_ms(f, 1000);
    }
    assert_int_equal(claims, 5);
}

GAME_TEST(nothing_is_claimed_on_our_turn_or_from_one_who_moves)
{
    GameFixture *f = *state;
    game_fixture_start(f, &claiming_options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .clock_ms = 600000 });
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":0");
    assert_null(find_post(f, COMMAND_CLAIM));
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":8");
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6");
    pass_ms(f, 9000);
    assert_null(find_post(f, COMMAND_CLAIM));
}

GAME_TEST(claims_are_what_the_operator_wants)
{
    GameFixture *f = *state;
    static const struct {
        ClaimChoice choice;
        bool claims, victory;
    } rows[] = { { CLAIM_NOTHING, false, false },
                 { CLAIM_DRAW, true, false },
                 { CLAIM_VICTORY, true, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameOptions options = claiming_options;
        options.claim = rows[i].choice;
        game_fixture_start(f, &options);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
        feed_gone(f, "\"gone\":true,\"claimWinInSeconds\":0");
        const Post *post = find_post(f, COMMAND_CLAIM);
        assert_int_equal(post != NULL, rows[i].claims);
        if (post)
            assert_int_equal(post->command.claims_victory, rows[i].victory);
    }
}

/* The account's list, asked for just now: it is the opponent's turn indeed. */
static void feed_list(GameFixture *f)
{
    feed(f, &(GameInput){ .kind = INPUT_LISTED, .listed = { false, f->now } });
}

GAME_TEST(a_game_without_a_first_move_is_aborted)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .we_are_black = true });
    pass_ms(f, 29999);
    assert_null(find_post(f, COMMAND_ABORT));
    pass_ms(f, 1);
    feed_list(f);
    const Post *post = find_post(f, COMMAND_ABORT);
    assert_non_null(post);
    feed_reply(f, post->ticket, REPLY_RECEIVED); /* received, not done */
    pass_ms(f, 30000);
    feed_list(f);
    assert_non_null(find_post(f, COMMAND_ABORT));
    feed_game_state(f, (GameText){ .status = "aborted" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
}

GAME_TEST(the_second_move_has_its_own_time)
{
    GameFixture *f = *state;
    uint32_t ticket = game_fixture_send_first(f);
    feed_reply(f, ticket, REPLY_RECEIVED);
    f->now += 1000;
    feed_moves(f, "e2e4");
    pass_ms(f, 29000);
    assert_null(find_post(f, COMMAND_ABORT));
    pass_ms(f, 1000);
    feed_list(f);
    assert_non_null(find_post(f, COMMAND_ABORT));
}

GAME_TEST(no_game_is_aborted_that_has_begun_or_must_not_be)
{
    GameFixture *f = *state;
    static const struct {
        GameText full;
        int64_t abort_after_ms;
    } rows[] = {
        { { .moves = "e2e4 e7e5 g1f3" }, 30000 },
        { { .we_are_black = true, .is_tournament = true }, 30000 },
        { { .we_are_black = true }, 0 },
        { { .we_are_black = true, .status = "created" }, 30000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameOptions options = GAME_USUAL_OPTIONS;
        options.abort_after_ms = rows[i].abort_after_ms;
        game_fixture_start(f, &options);
        feed_game_full(f, rows[i].full);
        pass_ms(f, 600000);
        feed_list(f);
        assert_null(find_post(f, COMMAND_ABORT));
    }
}

GAME_TEST(a_refused_abort_is_not_tried_again)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .we_are_black = true });
    pass_ms(f, 30000);
    feed_list(f);
    feed_reply(f, find_post(f, COMMAND_ABORT)->ticket, REPLY_REFUSED);
    for (int i = 0; i < 10; i++) {
        pass_ms(f, 60000);
        feed_list(f);
        assert_null(find_post(f, COMMAND_ABORT));
    }
    feed_moves(f, "e2e4");
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(every_final_status_ends_the_game_once)
{
    GameFixture *f = *state;
    static const char *const words[] = {
        "aborted", "mate",       "resign",        "stalemate",
        "timeout", "draw",       "cheat",         "outoftime",
        "noStart", "variantEnd", "unknownFinish", "insufficientMaterialClaim"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        game_fixture_search_first(f);
        feed_game_state(f, (GameText){ .status = words[i], .more = ",\"winner\":\"black\"" });
        assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
        assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
        assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
        assert_int_equal(f->game.winner, BLACK);
        feed_game_state(f, (GameText){ .status = words[i] });
        assert_int_equal(f->todo.count, 0);
        feed_finish(f, STATUS_MATE, WHITE);
        assert_int_equal(f->todo.count, 0);
        assert_int_equal(game_next_at_ms(&f->game), INT64_MAX);
    }
}

GAME_TEST(a_threefold_ends_it_though_the_line_before_said_started)
{
    GameFixture *f = *state;
    static const char *const list = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    feed_game_full(f, (GameText){ .moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1" });
    feed_moves(f, list);
    uint32_t version = started_search(f);
    feed_game_state(f, (GameText){ .moves = list, .status = "draw" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    feed_move(f, version, NULL);
    assert_int_equal(f->todo.count, 0);
}

GAME_TEST(a_game_already_over_is_not_joined)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4", .status = "resign" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(started_search(f), 0);
}

GAME_TEST(the_event_streams_finish_waits_for_the_last_line)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    feed_finish(f, STATUS_RESIGN, WHITE);
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 0);
    assert_int_equal(started_search(f), 0);
    feed_game_state(
        f, (GameText){ .moves = "e2e4 e7e5", .status = "resign", .more = ",\"winner\":\"white\"" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(f->game.sheet.position.ply, 2);

    game_fixture_search_first(f);
    feed_finish(f, STATUS_RESIGN, WHITE);
    feed_stream_end(f, STREAM_CLOSED);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(f->game.status, STATUS_RESIGN);

    game_fixture_search_first(f);
    feed_finish(f, STATUS_DRAW, COLOUR_NONE);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5" }); /* a late line from before */
    assert_only_notes(f);
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(f->game.status, STATUS_DRAW);
}

GAME_TEST(a_finish_told_before_the_first_line_is_no_harm)
{
    GameFixture *f = *state;
    feed_finish(f, STATUS_ABORTED, COLOUR_NONE);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 0);
    feed_game_full(f, (GameText){ .moves = "e2e4", .status = "aborted" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(f->game.sheet.position.ply, 1);

    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_finish(f, STATUS_ABORTED, COLOUR_NONE);
    feed_game_full(f, (GameText){ .moves = "e2e5" }); /* late, and makes no sense */
    assert_only_notes(f);
    assert_int_equal(count_effects(f, EFFECT_SEARCH), 0);
    feed_game_state(f, (GameText){ .moves = "e2e5" });
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);

    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_finish(f, STATUS_ABORTED, COLOUR_NONE);
    feed_game_full(f, (GameText){ .variant = "atomic" });
    assert_only_notes(f);
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
}

/* Scholar's mate: the server ends the game without showing the last move. */
GAME_TEST(our_move_that_ended_it_unseen_is_in_the_list)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    static const char *const list = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6";
    options.hides_ends = true;
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = list });
    feed_move(f, started_search(f), "h5f7");
    feed_game_state(f, (GameText){ .moves = list, .status = "unknownFinish" });
    assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    assert_int_equal(f->game.status, STATUS_MATE);
    assert_int_equal(f->game.winner, WHITE);
    assert_int_equal(game_ply(&f->game), 7);
    assert_non_null(find_note(f, NOTE_CONFIRMED));
}

GAME_TEST(an_opponent_who_has_not_lost_on_the_board_has_resigned)
{
    GameFixture *f = *state;
    GameOptions options = GAME_USUAL_OPTIONS;
    static const char *const list = "e2e4 e7e5 d1h5 b8c6 f1c4";
    for (int hides = 0; hides <= 1; hides++) {
        options.hides_ends = hides;
        game_fixture_start(f, &options);
        feed_game_full(f, (GameText){ .moves = list });
        feed_game_state(f, (GameText){ .moves = list, .status = "unknownFinish" });
        assert_int_equal(f->game.status, STATUS_UNKNOWN_FINISH);
        assert_int_equal(f->game.winner, hides ? WHITE : COLOUR_NONE);
    }
}
