/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of variants, by their own rules. */
#include "tests/support/game_fixture.h"

GAME_TEST(drops_are_played_and_confirmed)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .variant = "crazyhouse", .moves = "e2e4 d7d5 e4d5 d8d5" });
    feed_move(f, started_search(f), "P@e6");
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "P@e6");
    assert_string_equal(find_note(f, NOTE_MOVE)->san, "P@e6");
    feed_moves(f, "e2e4 d7d5 e4d5 d8d5 P@e6");
    assert_non_null(find_note(f, NOTE_CONFIRMED));
    assert_false(game_owes_move(&f->game));
    feed_moves(f, "e2e4 d7d5 e4d5 d8d5 P@e6 P@h3");
    assert_string_equal(find_note(f, NOTE_THEIR_MOVE)->san, "P@h3");
    assert_int_not_equal(started_search(f), 0);
}

/* A drop on the square of an earlier one has the same text, so it is not sent blindly again. */
GAME_TEST(a_drop_is_settled_before_it_is_sent_again)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .variant = "crazyhouse", .moves = "e2e4 d7d5 e4d5 d8d5" });
    feed_move(f, started_search(f), "P@e6");
    assert_true(find_post(f, COMMAND_MOVE)->command.resync_first);
}

GAME_TEST(castling_is_confirmed_in_either_notation)
{
    static const char *const echoes[] = { "e1g1", "e1h1" };
    for (size_t i = 0; i < sizeof echoes / sizeof *echoes; i++) {
        GameFixture *f = *state;
        char moves[100];
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(
            f, (GameText){ .variant = "threeCheck", .moves = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7" });
        feed_move(f, started_search(f), "e1g1");
        assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "e1h1");
        assert_true(snprintf(moves, sizeof moves, "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 %s", echoes[i]) >
                    0);
        feed_moves(f, moves);
        assert_non_null(find_note(f, NOTE_CONFIRMED));
    }
}

GAME_TEST(a_variant_begins_where_the_server_says)
{
    GameFixture *f = *state;
    static const struct {
        const char *variant, *fen, *kept;
    } rows[] = {
        { "racingKings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
          "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1" },
        { "racingKings", NULL, "" },
        { "horde", NULL, "" },
        { "threeCheck", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +1+0",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1" },
        { "crazyhouse", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/Qn w KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qn] w KQkq - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .variant = rows[i].variant, .fen = rows[i].fen });
        assert_int_not_equal(started_search(f), 0);
        assert_string_equal(f->game.fen, rows[i].kept);
    }
    static const struct {
        const char *variant, *fen;
    } wrong[] = { { "racingKings", "8 b\\nquit" }, { "bughouse", NULL } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .variant = wrong[i].variant, .fen = wrong[i].fen });
        assert_non_null(find_note(f, NOTE_UNPLAYABLE));
    }
}

GAME_TEST(without_a_move_from_the_search_a_legal_one_is_played)
{
    static const struct {
        const char *variant, *moves;
    } rows[] = {
        { "antichess", "e2e3 b7b5" }, /* the capture is forced */
        { "atomic", "" },
        { "horde", "" },
        { "racingKings", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameFixture *f = *state;
        game_fixture_start(f, &GAME_USUAL_OPTIONS);
        feed_game_full(f, (GameText){ .variant = rows[i].variant, .moves = rows[i].moves });
        feed_move(f, started_search(f), NULL);
        const Post *post = find_post(f, COMMAND_MOVE);
        assert_non_null(post);
        assert_non_null(find_note(f, NOTE_LAST_RESORT));
        if (i == 0)
            assert_string_equal(post->command.uci, "f1b5");
    }
}

/* The state may still say "started" for a moment. */
GAME_TEST(no_move_is_owed_where_a_rule_has_ended_the_game)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .variant = "kingOfTheHill",
                                  .fen = "7k/8/8/8/8/3K4/8/8 b - - 0 1",
                                  .we_are_black = true });
    assert_true(game_owes_move(&f->game));
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ .variant = "kingOfTheHill",
                                  .fen = "7k/8/8/8/8/3K4/8/8 w - - 0 1",
                                  .moves = "d3d4",
                                  .we_are_black = true });
    assert_false(game_owes_move(&f->game));
}
