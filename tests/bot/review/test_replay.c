/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/replay.h"

#include "tests/support/records.h"
#include "tests/support/unit.h"

TEST(openings_are_named_by_their_moves)
{
    static const struct {
        const char *name;
        Variant variant;
        const char *fen, *uci;
        int plies;
        const char *expected;
    } rows[] = {
        { "as many as asked", VARIANT_STANDARD, "", "e2e4 c7c5 g1f3 d7d6 d2d4", 3,
          "1.e4 c5 2.Nf3" },
        { "one", VARIANT_STANDARD, "", "e2e4 c7c5", 1, "1.e4" },
        { "a short game", VARIANT_STANDARD, "", "d2d4", 6, "1.d4" },
        { "no move", VARIANT_STANDARD, "", "", 6, "" },
        { "none asked", VARIANT_STANDARD, "", "d2d4", 0, "" },
        { "castling in either notation", VARIANT_STANDARD, "", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1",
          7, "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O" },
        { "up to what can't be", VARIANT_STANDARD, "", "e2e4 e7e6 e4e6 d2d4", 6, "1.e4 e6" },
        { "up to what is no move", VARIANT_STANDARD, "", "e2e4 %n%n d2d4", 6, "1.e4" },
        { "blanks in a row", VARIANT_STANDARD, "", "e2e4  c7c5", 6, "1.e4 c5" },
        { "Chess960", VARIANT_CHESS960, "", "e2e4 c7c5", 6, "chess960" },
        { "a position", VARIANT_FROM_POSITION, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", 6,
          "fromPosition" },
        { "a position under another name", VARIANT_STANDARD, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "e2e4", 6, "standard" },
        { "another game", VARIANT_ANTICHESS, "", "e2e3 b7b5", 6, "antichess" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[OPENING_SIZE];
        opening_write(rows[i].variant, rows[i].fen, text_of(rows[i].uci), rows[i].plies, text);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("%s: \"%s\"", rows[i].name, text);
    }
}

TEST(the_longest_opening_fits)
{
    char uci[5 * 80 + 1] = "", text[OPENING_SIZE];
    static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1", "f6g8" };
    size_t len = 0;
    for (int i = 0; i < 80; i++)
        len += (size_t)snprintf(uci + len, sizeof uci - len, "%s%s", i ? " " : "", shuffle[i % 4]);
    opening_write(VARIANT_STANDARD, "", text_of(uci), 600, text);
    const char *last = strrchr(text, ' ');
    assert_string_equal(last, " Ng8"); /* the 60th */
    assert_non_null(strstr(text, "30.Ng1"));
    assert_null(strstr(text, "31."));
}

TEST(steps_are_the_books_moves_with_their_positions)
{
    GameRecord game;
    Position pos;
    BookStep steps[BOOK_STEPS_MAX];
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 g1f3 d7d6 d2d4");
    assert_int_equal(replay_book_steps(&game, steps), 0);
    game.moves[0].is_book = game.moves[4].is_book = true;
    assert_int_equal(replay_book_steps(&game, steps), 2);
    assert_true(replay_begin(&pos, VARIANT_STANDARD, ""));
    assert_int_equal(steps[0].ply, 1);
    assert_true(steps[0].key == pos.key);
    assert_int_equal(steps[0].move, replay_move(&pos, text_of("e2e4"), NULL));
    assert_int_equal(steps[1].ply, 5);
    assert_true(steps[1].key != steps[0].key);
    game.variant = VARIANT_UNKNOWN;
    assert_int_equal(replay_book_steps(&game, steps), 0);
    record_release(&game);
}

TEST(a_broken_game_has_the_steps_before_its_break)
{
    GameRecord game;
    BookStep steps[BOOK_STEPS_MAX];
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5 e4e6 d7d6 d2d4");
    for (size_t i = 0; i < game.count; i += 2)
        game.moves[i].is_book = true;
    assert_int_equal(replay_book_steps(&game, steps), 1);
    memcpy(game.initial_fen, "nonsense", 9);
    assert_int_equal(replay_book_steps(&game, steps), 0);
    record_release(&game);
}
