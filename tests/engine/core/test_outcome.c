/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/outcome.h"

#include "tests/support/chess.h"

TEST(positions_have_the_listed_outcome)
{
    static const struct {
        const char *fen;
        Outcome outcome;
    } rows[] = {
        { FEN_START, OUTCOME_NONE },
        { "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", OUTCOME_CHECKMATE },
        { "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", OUTCOME_STALEMATE },
        { "7k/6Q1/6K1/8/8/8/8/8 b - - 150 99", OUTCOME_CHECKMATE }, /* mate comes first */
        { "4k3/8/8/8/8/8/8/4K2R w - - 99 99", OUTCOME_NONE },
        { "4k3/8/8/8/8/8/8/4K2R w - - 100 99", OUTCOME_FIFTY_MOVES },
        { "4k3/8/8/8/8/8/8/4K2R w - - 149 99", OUTCOME_FIFTY_MOVES },
        { "4k3/8/8/8/8/8/8/4K2R w - - 150 99", OUTCOME_SEVENTY_FIVE_MOVES },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 1", OUTCOME_INSUFFICIENT_MATERIAL },
        { "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", OUTCOME_INSUFFICIENT_MATERIAL },
        { "4kb2/8/8/8/8/8/8/4K3 w - - 0 1", OUTCOME_INSUFFICIENT_MATERIAL },
        { "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", OUTCOME_INSUFFICIENT_MATERIAL }, /* both dark */
        { "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", OUTCOME_NONE },                 /* light and dark */
        { "4k3/8/8/8/8/8/8/1B1BKB1B w - - 0 1", OUTCOME_INSUFFICIENT_MATERIAL },
        { "4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", OUTCOME_NONE },
        { "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", OUTCOME_NONE },
        { "4kn2/8/8/8/8/8/8/3NK3 w - - 0 1", OUTCOME_NONE },
        { "4kn2/8/8/8/8/8/8/3BK3 w - - 0 1", OUTCOME_NONE },
        { "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", OUTCOME_NONE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        if (position_outcome(&pos) != rows[i].outcome)
            fail_msg("%s: %s", rows[i].fen, outcome_text(position_outcome(&pos)));
    }
}

TEST(repetitions_are_counted_as_the_rules_do)
{
#define SHUFFLE "g1f3 g8f6 f3g1 f6g8"
    static const struct {
        const char *name, *fen, *moves;
        int repetitions;
        Outcome outcome;
    } rows[] = {
        { "once more", FEN_START, SHUFFLE, 1, OUTCOME_NONE },
        { "three times", FEN_START, SHUFFLE " " SHUFFLE, 2, OUTCOME_THREEFOLD },
        { "four times", FEN_START, SHUFFLE " " SHUFFLE " " SHUFFLE, 3, OUTCOME_THREEFOLD },
        { "five times", FEN_START, SHUFFLE " " SHUFFLE " " SHUFFLE " " SHUFFLE, 4,
          OUTCOME_FIVEFOLD },
        { "another side to move", "4k2r/8/8/8/8/8/8/4K2R w - - 0 1",
          "e1e2 e8e7 e2e3 e7e8 e3e2 e8e7 e2e1 e7e8", 1, OUTCOME_NONE },
        { "castling rights gone in between", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
          "e1e2 e8e7 e2e1 e7e8", 0, OUTCOME_NONE },
        { "a pawn move in between", FEN_START, SHUFFLE " e2e4 e7e5 " SHUFFLE, 1, OUTCOME_NONE },
        /* After d2d4 Black could take en passant; when the position recurs, no longer. */
        { "en passant was possible", "4k3/8/8/8/2p5/8/3P4/4K3 w - - 0 1",
          "d2d4 e8e7 e1e2 e7e8 e2e1", 0, OUTCOME_NONE },
        /* Here the pawn is pinned: taking was never possible, the positions are the same. */
        { "en passant was pinned", "8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1", "d2d4 a4a5 h4h5 a5a4 h5h4",
          1, OUTCOME_NONE },
        { "en passant did not matter", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1",
          "d2d4 e8e7 e1e2 e7e8 e2e1", 1, OUTCOME_NONE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        play(&pos, rows[i].moves);
        if (position_repetitions(&pos) != rows[i].repetitions ||
            position_outcome(&pos) != rows[i].outcome)
            fail_msg("%s: %d, %s", rows[i].name, position_repetitions(&pos),
                     outcome_text(position_outcome(&pos)));
    }
}

TEST(a_null_move_hides_what_was_before_it)
{
    Position pos = position_of(FEN_START);
    Undo first, second;
    position_make_null(&pos, &first);
    position_make_null(&pos, &second);
    assert_int_equal(position_repetitions(&pos), 0);
    position_unmake_null(&pos, &second);
    position_unmake_null(&pos, &first);
    pos = position_of(FEN_START);
    play(&pos, SHUFFLE);
    assert_int_equal(position_repetitions(&pos), 1);
    position_make_null(&pos, &first);
    assert_int_equal(position_repetitions(&pos), 0);
    position_unmake_null(&pos, &first);
    assert_int_equal(position_repetitions(&pos), 1);
}

TEST(repetitions_reach_far_back_but_not_beyond_the_ring)
{
    Position pos = position_of(FEN_START);
    static const char shuffle[][5] = { "g1f3", "g8f6", "f3g1", "f6g8" };
    for (int i = 0; i < 600; i++) {
        assert_int_equal(position_repetitions(&pos), i / 4 < 127 ? i / 4 : 127);
        play(&pos, shuffle[i % 4]);
    }
}

TEST(every_outcome_has_a_text)
{
    for (Outcome o = OUTCOME_NONE; o <= OUTCOME_VARIANT_DRAW; o++)
        assert_string_not_equal(outcome_text(o), "unknown");
    assert_string_equal(outcome_text(OUTCOME_THREEFOLD), "threefold repetition");
}
