/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I16 of bot/README.md: streams that fail, and lines that make no sense. */
#include "tests/support/game_fixture.h"

GAME_TEST(a_streams_end_is_not_the_games_end)
{
    GameFixture *f = *state;
    static const StreamEnd ends[] = { STREAM_CLOSED, STREAM_LOST };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        uint32_t version = game_fixture_search_first(f);
        f->now += 20000;
        feed_stream_end(f, ends[i]);
        assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1); /* at once */
        assert_int_equal(count_effects(f, EFFECT_FINISH), 0);
        assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
        feed_game_full(f, (GameText){ .clock_ms = 50000 });
        assert_int_equal(started_search(f), 0); /* the search has gone on */
        assert_non_null(find_note(f, NOTE_STREAM_BACK));
        feed_move(f, version, "e2e4");
        assert_non_null(find_post(f, COMMAND_MOVE));
    }
}

GAME_TEST(a_stream_that_fails_again_and_again_is_opened_ever_less_often)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    int opened = 0;
    int64_t end = f->now + 60000;
    feed_stream_end(f, STREAM_LOST);
    while (f->now < end) {
        if (count_effects(f, EFFECT_OPEN_STREAM)) {
            opened++;
            feed_stream_end(f, STREAM_LOST);
        } else {
            pass_ms(f, 10);
        }
    }
    assert_in_range(opened, 8, 60);
}

GAME_TEST(who_reached_the_server_brings_the_next_try_forward)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    feed_stream_end(f, STREAM_LOST);
    for (int tries = 0; tries < 5; tries++) {
        while (!find_effect(f, EFFECT_OPEN_STREAM))
            pass_until_due(f);
        feed_stream_end(f, STREAM_LOST);
    }
    assert_int_equal(find_note(f, NOTE_STREAM_LOST)->count, 6);
    assert_null(find_effect(f, EFFECT_OPEN_STREAM));
    feed(f, &(GameInput){ .kind = INPUT_REACHED });
    assert_non_null(find_effect(f, EFFECT_OPEN_STREAM));
    feed(f, &(GameInput){ .kind = INPUT_REACHED });
    assert_int_equal(f->todo.count, 0);
}

GAME_TEST(a_move_found_while_the_stream_is_down_is_sent)
{
    GameFixture *f = *state;
    uint32_t version = game_fixture_search_first(f);
    feed_stream_end(f, STREAM_LOST);
    feed_move(f, version, "e2e4");
    const Post *post = find_post(f, COMMAND_MOVE);
    assert_non_null(post);
    feed_reply(f, post->ticket, REPLY_LOST);
    pass_ms(f, 20000);
    assert_null(find_post(f, COMMAND_MOVE)); /* once; what came of it the stream will say */
    feed_game_full(f, (GameText){ .moves = "e2e4" });
    assert_null(find_post(f, COMMAND_MOVE));
    assert_non_null(find_note(f, NOTE_CONFIRMED));
}

GAME_TEST(an_unreadable_line_makes_us_read_afresh)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    f->now += 20000;
    feed(f, &(GameInput){ .kind = INPUT_UNREADABLE });
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
}

GAME_TEST(a_desynced_game_is_read_again_once_and_never_answered)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    f->now += 20000;
    feed_moves(f, "e2e4 e7e5 e4e5");
    assert_non_null(find_note(f, NOTE_DESYNCED));
    assert_non_null(strstr(find_note(f, NOTE_DESYNCED)->text, "e4e5"));
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 e4e5" });
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 0);
    for (int i = 0; i < 100; i++) {
        pass_ms(f, 10000);
        assert_null(find_effect(f, EFFECT_POST));
        assert_int_equal(started_search(f), 0);
    }
    assert_int_equal(f->game.phase, GAME_DESYNCED);
    feed_moves(f, "e2e4 e7e5"); /* taken back: we are in again */
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(a_garbled_list_is_healed_by_the_fresh_one)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    f->now += 20000;
    feed_moves(f, "e2e4 e7");
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    assert_int_equal(f->game.phase, GAME_PLAYING);
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(a_game_that_we_cannot_play_is_aborted_or_watched)
{
    GameFixture *f = *state;
    static const GameText rows[] = {
        { .variant = "bughouse" },
        { .variant = "fromPosition", .fen = "no position" },
        { .variant = "fromPosition", .fen = "8/8/8/8/8/8/8/8 w - - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, rows[i]);
        assert_non_null(find_note(f, NOTE_UNPLAYABLE));
        assert_non_null(find_post(f, COMMAND_ABORT));
        assert_int_equal(started_search(f), 0);
        feed_game_state(f, (GameText){ .status = "aborted" });
        assert_int_equal(count_effects(f, EFFECT_FINISH), 1);

        GameText late = rows[i];
        late.moves = "e2e4 e7e5";
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, late);
        assert_only_notes(f);
        feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .status = "outoftime" });
        assert_int_equal(count_effects(f, EFFECT_FINISH), 1);
    }
}

GAME_TEST(a_game_without_us_is_not_played)
{
    GameFixture *f = *state;
    feed_line(f, "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"standard\"},"
                 "\"clock\":{\"initial\":60000,\"increment\":0},\"white\":{},\"black\":{},"
                 "\"initialFen\":\"startpos\",\"state\":{\"moves\":\"e2e4 e7e5\",\"wtime\":1,"
                 "\"btime\":1,\"status\":\"started\"}}");
    assert_only_notes(f);
    assert_int_equal(f->game.phase, GAME_UNPLAYABLE);
}

GAME_TEST(claims_that_the_board_contradicts_do_not_stop_a_game)
{
    GameFixture *f = *state;
    feed_game_full(
        f, (GameText){ .variant = "fromPosition", .fen = "4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1" });
    assert_non_null(find_note(f, NOTE_CLAIMS_DROPPED));
    assert_int_not_equal(started_search(f), 0);
}
