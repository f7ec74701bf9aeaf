/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I13 and I14 of bot/README.md: our moves, from the search to the stream that confirms them.
 */
#include "tests/support/game_fixture.h"

GAME_TEST(a_search_runs_on_our_turn_only)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ .we_are_black = true });
    assert_int_equal(started_search(f), 0);
    assert_false(game_owes_move(&f->game));
    feed_moves(f, "e2e4");
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(castling_in_chess960_is_king_takes_rook)
{
    GameFixture *f = *state;
    static const struct {
        const char *fen, *uci;
    } rows[] = {
        { "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "e1b1" },
        { "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", "e1g1" },
        { "bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKR1NB w ECec - 0 1", "d1c1" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .variant = "chess960", .fen = rows[i].fen });
        feed_move(f, started_search(f), rows[i].uci);
        assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, rows[i].uci);
        feed_moves(f, rows[i].uci);
        assert_non_null(find_note(f, NOTE_CONFIRMED));
    }
}

GAME_TEST(the_same_state_again_starts_no_second_search)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    for (int i = 0; i < 5; i++) {
        feed_game_state(f, (GameText){ .more = i % 2 ? ",\"bdraw\":true" : "" });
        assert_int_equal(started_search(f), 0);
        assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
    }
    feed_game_full(f, (GameText){ 0 });
    assert_int_equal(started_search(f), 0);
}

GAME_TEST(a_move_is_posted_once_and_confirmed_by_its_echo)
{
    GameFixture *f = *state;
    uint32_t ticket = game_fixture_send_first(f);
    feed_game_state(f, (GameText){ 0 }); /* the old list once more */
    assert_only_notes(f);
    feed_moves(f, "e2e4"); /* the echo comes before the answer */
    assert_non_null(find_note(f, NOTE_CONFIRMED));
    feed_reply(f, ticket, REPLY_RECEIVED);
    assert_only_notes(f);
    feed_moves(f, "e2e4 e7e5");
    assert_int_not_equal(started_search(f), 0);
    assert_non_null(find_note(f, NOTE_THEIR_MOVE));
    assert_string_equal(find_note(f, NOTE_THEIR_MOVE)->san, "e5");
}

GAME_TEST(a_result_for_an_old_list_is_not_played)
{
    GameFixture *f = *state;
    uint32_t old = game_fixture_search_first(f);
    feed_moves(f, "d2d4"); /* somebody else moved with our account */
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    feed_move(f, old, NULL);
    assert_only_notes(f);
    feed_moves(f, "d2d4 d7d5");
    uint32_t young = started_search(f);
    assert_int_not_equal(young, old);
    feed_move(f, old, NULL);
    assert_null(find_post(f, COMMAND_MOVE));
    feed_move(f, young, "c2c4");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

GAME_TEST(an_illegal_result_is_replaced_by_a_legal_move)
{
    GameFixture *f = *state;
    uint32_t version = game_fixture_search_first(f);
    feed_choice(f, (MoveChoice){ .version = version, .move = move_make(A1, H8, MOVE_QUIET) }, NULL);
    const Post *post = find_post(f, COMMAND_MOVE);
    assert_non_null(post);
    assert_non_null(find_note(f, NOTE_LAST_RESORT));
    Move move;
    assert_true(uci_move_match(&f->game.sheet.position, post->command.uci,
                               strlen(post->command.uci), &move, NULL));
}

GAME_TEST(a_search_that_lets_the_clock_run_is_stopped_early_then_replaced)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .clock_ms = 10000 });
    uint32_t version = started_search(f);
    int64_t began = f->now;
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    assert_in_range(f->now - began, 5000, 9500);
    pass_until_due(f);
    assert_non_null(find_post(f, COMMAND_MOVE));
    assert_in_range(f->now - began, 5000, 9900);
    feed_move(f, version, "g1f3"); /* too late */
    assert_only_notes(f);
}

GAME_TEST(no_move_is_owed_where_there_is_none)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "f2f3 e7e5 g2g4" });
    assert_false(game_owes_move(&f->game));
    feed_moves(f, "f2f3 e7e5 g2g4 d8h4"); /* mate: we are White */
    assert_false(game_owes_move(&f->game));
    assert_int_equal(started_search(f), 0);
}

GAME_TEST(a_game_not_begun_is_waited_for)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .status = "created" });
    assert_int_equal(started_search(f), 0);
    feed_game_state(f, (GameText){ .status = "started" });
    assert_int_not_equal(started_search(f), 0);
}

GAME_TEST(an_unlimited_game_is_played_too)
{
    GameFixture *f = *state;
    SearchLimits limits = { 0 };
    feed_game_full(f, (GameText){ .has_no_clock = true, .clock_ms = INT32_MAX });
    feed(f, &(GameInput){ .kind = INPUT_TURN_GRANTED });
    uint32_t version = started_search(f);
    assert_int_not_equal(version, 0);
    game_search_limits(&f->game, f->now, &limits);
    assert_false(limits.has_clock);
    assert_in_range(limits.movetime_ms, 1000, 60000);
    feed_move(f, version, "e2e4");
    assert_non_null(find_post(f, COMMAND_MOVE));
    pass_ms(f, 3000000); /* a game of days is not aborted */
    assert_null(find_post(f, COMMAND_ABORT));
}

GAME_TEST(a_lost_castling_that_could_become_a_step_is_not_repeated_blindly)
{
    GameFixture *f = *state;
    static const char fen[] = "1k3r2/8/8/8/8/7p/7P/6KR w K - 0 1";
    feed_game_full(f, (GameText){ .variant = "chess960", .fen = fen });
    feed_move(f, started_search(f), "g1h1");
    feed_reply(f, find_post(f, COMMAND_MOVE)->ticket, REPLY_LOST);
    pass_until_due(f);
    assert_int_equal(count_effects(f, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count_effects(f, EFFECT_POST), 0);
    pass_ms(f, 10000); /* the old stream's word does not count any more */
    assert_int_equal(count_effects(f, EFFECT_POST), 0);
    feed_game_full(f, (GameText){ .variant = "chess960", .fen = fen });
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "g1h1");
    assert_int_equal(find_post(f, COMMAND_MOVE)->tries, 2);
}

GAME_TEST(a_move_that_is_always_refused_is_sent_seldom)
{
    GameFixture *f = *state;
    uint32_t ticket = game_fixture_send_first(f);
    int requests = 1;
    int64_t end = f->now + 600000;
    feed_reply(f, ticket, REPLY_REFUSED);
    while (f->now < end) {
        pass_ms(f, 100);
        if (count_effects(f, EFFECT_OPEN_STREAM))
            feed_game_full(f, (GameText){ .clock_ms = 900000 });
        const Post *post = find_post(f, COMMAND_MOVE);
        if (!post)
            continue;
        requests++;
        feed_reply(f, post->ticket, REPLY_REFUSED);
    }
    assert_in_range(requests, 4, 80);
    assert_int_equal(f->game.phase, GAME_PLAYING);
}

GAME_TEST(a_rate_limit_is_waited_out_only_where_the_clock_allows)
{
    GameFixture *f = *state;
    static const struct {
        int clock_ms;
        int64_t least_ms, most_ms;
    } rows[] = { { 600000, 59000, 61000 }, { 20000, 900, 1100 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .clock_ms = rows[i].clock_ms });
        feed_move(f, started_search(f), "g1f3");
        uint32_t ticket = find_post(f, COMMAND_MOVE)->ticket;
        int64_t began = f->now;
        ratelimit_note(&f->limit, FAMILY_MOVE, 0, false, f->now);
        feed_reply(f, ticket, REPLY_LIMITED);
        do
            pass_until_due(f);
        while (!find_post(f, COMMAND_MOVE) && f->now - began < 100000);
        assert_in_range(f->now - began, rows[i].least_ms, rows[i].most_ms);
    }
}

GAME_TEST(a_status_of_tomorrow_is_no_end_and_no_turn)
{
    GameFixture *f = *state;
    game_fixture_search_first(f);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .status = "adjourned" });
    assert_non_null(find_note(f, NOTE_UNKNOWN_STATUS));
    assert_int_equal(count_effects(f, EFFECT_FINISH), 0);
    assert_false(game_owes_move(&f->game));
    feed_moves(f, "e2e4 e7e5");
    assert_true(game_owes_move(&f->game));
}
