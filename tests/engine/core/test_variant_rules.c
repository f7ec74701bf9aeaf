/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/variant_rules.h"

#include "engine/core/outcome.h"
#include "tests/support/chess.h"

TEST(every_variant_starts_from_its_position)
{
    static const int moves[RULESET_COUNT] = { 20, 20, 20, 20, 8, 20, 21, 20 };
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        const VariantRules *rules = &variant_rules_table[r];
        Position pos = position_by(r, rules->start_fen);
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        assert_string_equal(fen, rules->start_fen);
        assert_int_equal(movegen_count(&pos), moves[r]);
        assert_int_equal(position_outcome(&pos), OUTCOME_NONE);
        assert_int_equal(ruleset_of_uci_name(rules->uci_name, strlen(rules->uci_name)), r);
    }
    assert_int_equal(ruleset_of_uci_name("KingOfTheHill", 13), RULES_KING_OF_THE_HILL);
    assert_int_equal(ruleset_of_uci_name("atomi", 5), RULESET_COUNT);
    assert_int_equal(ruleset_of_uci_name("", 0), RULESET_COUNT);
}

TEST(no_two_variants_share_a_key)
{
    uint64_t keys[RULESET_COUNT] = { 0 };
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        bool is_horde = r == RULES_HORDE;
        keys[r] = position_by(r, is_horde ? "4k3/8/8/8/8/8/8/8 w - - 0 1"
                                          : "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
                      .key;
        for (Ruleset other = RULES_STANDARD; other < r; other++)
            assert_true(keys[r] != keys[other]);
    }
}

TEST(games_end_as_the_server_rules)
{
    static const struct {
        const char *name;
        Ruleset ruleset;
        const char *fen, *moves;
        Outcome outcome;
    } rows[] = {
        { "the king climbs the hill", RULES_KING_OF_THE_HILL, "7k/8/8/8/8/3K4/8/8 w - - 0 1",
          "d3d4", OUTCOME_VARIANT_LOSS },
        { "… by a capture, Black's too", RULES_KING_OF_THE_HILL, "8/8/8/3k4/3N4/8/8/7K b - - 0 1",
          "d5d4", OUTCOME_VARIANT_LOSS },
        { "beside the hill", RULES_KING_OF_THE_HILL, "7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3c4",
          OUTCOME_NONE },
        { "bare kings play on for the hill", RULES_KING_OF_THE_HILL, "7k/8/8/8/8/8/8/K7 w - - 0 1",
          "a1b1", OUTCOME_NONE },
        { "mate comes before the hill", RULES_KING_OF_THE_HILL,
          "4k3/R7/8/8/7B/4K3/8/4RR2 w - - 0 1", "e3d4", OUTCOME_CHECKMATE },
        { "stalemate on the way to it", RULES_KING_OF_THE_HILL, "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
          "g5g6", OUTCOME_STALEMATE },
        { "50 moves", RULES_KING_OF_THE_HILL, "7k/8/8/8/8/8/8/K7 w - - 99 90", "a1b1",
          OUTCOME_FIFTY_MOVES },

        { "the third check", RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1", "h1h8",
          OUTCOME_VARIANT_LOSS },
        { "the second check", RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K2R w - - 2+1 0 1", "h1h8",
          OUTCOME_NONE },
        { "a double check counts once", RULES_THREE_CHECK, "4k3/8/8/8/4N3/8/8/4RK2 w - - 2+3 0 1",
          "e4f6", OUTCOME_NONE },
        { "a third check that mates is mate", RULES_THREE_CHECK,
          "4k3/R7/8/8/8/8/8/4K2R w - - 1+3 0 1", "h1h8", OUTCOME_CHECKMATE },
        { "castling gives check", RULES_THREE_CHECK, "5k2/8/8/8/8/8/8/4K2R w K - 1+1 0 1", "e1g1",
          OUTCOME_VARIANT_LOSS },
        { "bare kings give no check", RULES_THREE_CHECK, "4k3/8/8/8/8/8/4p3/4K3 w - - 3+1 0 1",
          "e1e2", OUTCOME_INSUFFICIENT_MATERIAL },
        { "a bishop may", RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4KB2 w - - 1+3 0 1", "e1e2",
          OUTCOME_NONE },

        { "the king explodes", RULES_ATOMIC, "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "d1d7",
          OUTCOME_VARIANT_LOSS },
        { "… though we are in check", RULES_ATOMIC, "4k3/3p4/8/8/8/8/4r3/3QK3 w - - 0 1", "d1d7",
          OUTCOME_VARIANT_LOSS },
        { "mate that no capture averts", RULES_ATOMIC, "7k/8/8/8/8/8/6R1/K6R b - - 0 1", "",
          OUTCOME_CHECKMATE },
        { "kings that touch give stalemate", RULES_ATOMIC, "8/8/8/8/8/8/pKp5/kbR5 b - - 0 1", "",
          OUTCOME_STALEMATE },
        { "more than a king each", RULES_ATOMIC, "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "e1f1",
          OUTCOME_NONE },
        { "king and knight against king", RULES_ATOMIC, "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "e1f1",
          OUTCOME_INSUFFICIENT_MATERIAL },
        { "king and rook against king", RULES_ATOMIC, "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "e1f1",
          OUTCOME_INSUFFICIENT_MATERIAL },
        { "king and queen against king", RULES_ATOMIC, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "e1f1",
          OUTCOME_NONE },
        { "blocked pawns", RULES_ATOMIC, "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1", "e1f1",
          OUTCOME_INSUFFICIENT_MATERIAL },
        { "… that a bishop may reach", RULES_ATOMIC, "4k3/8/8/p7/P7/8/8/3BK3 w - - 0 1", "e1f1",
          OUTCOME_INSUFFICIENT_MATERIAL },
        { "… whose enemy stands on its colour", RULES_ATOMIC, "4k3/8/8/p7/P7/8/8/2B1K3 w - - 0 1",
          "e1f1", OUTCOME_NONE },

        { "the last man is captured, promoting", RULES_ANTICHESS, "8/8/8/8/8/8/1p6/R7 b - - 0 1",
          "b2a1q", OUTCOME_VARIANT_WIN },
        { "the last man is captured", RULES_ANTICHESS, "8/8/8/8/8/1p6/R7/8 b - - 0 1", "b3a2",
          OUTCOME_VARIANT_WIN },
        { "no move left", RULES_ANTICHESS, "8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4",
          OUTCOME_VARIANT_WIN },
        { "bishops that never meet", RULES_ANTICHESS, "8/8/8/8/8/3b4/8/2B5 w - - 0 1", "c1b2",
          OUTCOME_INSUFFICIENT_MATERIAL },
        { "bishops that may", RULES_ANTICHESS, "8/8/8/8/8/2b5/8/B7 b - - 0 1", "c3a1",
          OUTCOME_VARIANT_WIN },

        { "the horde is gone", RULES_HORDE, "4k3/8/8/8/8/8/r7/P7 b - - 0 1", "a2a1",
          OUTCOME_VARIANT_LOSS },
        { "Black is mated", RULES_HORDE, "k7/8/PP6/8/8/8/8/7R w - - 0 1", "h1h8",
          OUTCOME_CHECKMATE },
        { "Black is stalemated", RULES_HORDE, "k7/P7/PP6/8/8/8/8/8 b - - 0 1", "",
          OUTCOME_STALEMATE },
        { "the horde has no move", RULES_HORDE, "8/8/8/p7/P7/8/8/4k3 b - - 0 1", "e1e2",
          OUTCOME_STALEMATE },

        { "Black has arrived", RULES_RACING_KINGS, "8/k7/8/8/8/8/7K/8 b - - 0 1", "a7a8",
          OUTCOME_VARIANT_LOSS },
        { "White has arrived, and Black cannot follow", RULES_RACING_KINGS,
          "8/7K/k7/8/8/8/8/8 w - - 0 1", "h7h8", OUTCOME_VARIANT_LOSS },
        { "White has arrived, and Black may follow", RULES_RACING_KINGS,
          "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8", OUTCOME_NONE },
        { "both have arrived", RULES_RACING_KINGS, "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8 a7a8",
          OUTCOME_VARIANT_DRAW },
        { "Black missed his turn", RULES_RACING_KINGS, "8/k6K/8/8/8/8/8/8 w - - 0 1", "h7h8 a7a6",
          OUTCOME_VARIANT_WIN },
        { "bare kings race", RULES_RACING_KINGS, "8/8/8/8/8/8/k6K/8 w - - 0 1", "h2h3",
          OUTCOME_NONE },

        { "mate that no drop averts", RULES_CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1",
          "a1a8", OUTCOME_CHECKMATE },
        { "… but a knight in hand would", RULES_CRAZYHOUSE, "6k1/5ppp/8/8/8/8/8/R3K3[n] w - - 0 1",
          "a1a8", OUTCOME_NONE },
        { "no stalemate while one may drop", RULES_CRAZYHOUSE, "7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 1",
          "", OUTCOME_NONE },
        { "stalemate with nothing in hand", RULES_CRAZYHOUSE, "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1",
          "", OUTCOME_STALEMATE },
        { "bare kings are never dead", RULES_CRAZYHOUSE, "7k/8/8/8/8/8/8/K7[] w - - 0 1", "a1b1",
          OUTCOME_NONE },
        { "no 50 moves", RULES_CRAZYHOUSE, "7k/8/8/8/8/8/8/K7[] w - - 149 90", "a1b1",
          OUTCOME_NONE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        play(&pos, rows[i].moves);
        if (position_outcome(&pos) != rows[i].outcome)
            fail_msg("%s: %s", rows[i].name, outcome_text(position_outcome(&pos)));
    }
}

TEST(captures_and_drops_repeat_positions_in_crazyhouse)
{
    Position pos = position_by(RULES_CRAZYHOUSE, "8/3k4/8/8/8/8/r7/K7[] w - - 0 1");
    for (int i = 0; i <= 4; i++) {
        assert_int_equal(position_repetitions(&pos), i);
        assert_int_equal(position_outcome(&pos), i < 2   ? OUTCOME_NONE
                                                 : i < 4 ? OUTCOME_THREEFOLD
                                                         : OUTCOME_FIVEFOLD);
        play(&pos, "a1a2 d7d8 R@d7 d8d7 a2a1 R@a2");
    }
}

TEST(who_cannot_win_does_not_win_on_time)
{
    static const struct {
        Ruleset ruleset;
        const char *fen;
        bool white_cannot, black_cannot;
    } rows[] = {
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4KB2 w - - 3+3 0 1", false, true },
        { RULES_ATOMIC, "4k3/8/8/8/8/8/p7/4K3 w - - 0 1", true, false },
        { RULES_ANTICHESS, "8/8/8/8/8/n7/8/N7 w - - 0 1", false, true },
        { RULES_ANTICHESS, "8/8/8/8/8/1n6/8/N7 w - - 0 1", true, false },
        { RULES_ANTICHESS, "8/8/8/8/8/1n6/8/NN6 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/Q7 w - - 0 1", true, false },
        { RULES_HORDE, "4k3/p7/8/8/8/8/8/Q7 w - - 0 1", false, false },
        { RULES_HORDE, "4kn2/8/8/8/8/8/8/Q7 w - - 0 1", true, false },
        { RULES_HORDE, "4k3/p7/8/8/8/8/8/4P3 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/p7/8/8/8/8/8/R7 w - - 0 1", true, false },
        { RULES_HORDE, "4k3/pp6/8/8/8/8/8/R7 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/R1B5 w - - 0 1", true, false },
        { RULES_HORDE, "4k3/p7/8/8/8/8/8/R1B5 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/2NN4 w - - 0 1", true, false },
        { RULES_HORDE, "4kr2/8/8/8/8/8/8/2NN4 w - - 0 1", true, false },
        { RULES_HORDE, "4kb2/8/8/8/8/8/8/2NN4 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/1NB1B3 w - - 0 1", true, false },
        { RULES_HORDE, "4kr2/8/8/8/8/8/8/1NB1B3 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/1NBB4 w - - 0 1", false, false },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/1NNNN3 w - - 0 1", false, false },
        { RULES_HORDE, "4kn1n/7p/8/8/8/8/8/1N6 w - - 0 1", false, false },
        { RULES_HORDE, "4kn1n/8/8/8/8/8/8/1N6 w - - 0 1", true, false },
        { RULES_HORDE, "4kb2/7p/8/8/8/8/8/5B2 w - - 0 1", false, false },
        { RULES_HORDE, "4kr2/8/8/8/8/8/8/5BB1 w - - 0 1", true, false },
        { RULES_HORDE, "4kr1n/8/8/8/8/8/8/5BB1 w - - 0 1", false, false },
        { RULES_HORDE, "4kr2/8/8/8/8/8/8/5BN1 w - - 0 1", true, false },
        { RULES_HORDE, "4krr1/8/8/8/8/8/8/5BN1 w - - 0 1", false, false },
        { RULES_HORDE, "4krr1/8/8/8/8/8/8/1B1B4 w - - 0 1", true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        const VariantRules *rules = variant_rules(&pos);
        if (rules->cannot_win(&pos, WHITE) != rows[i].white_cannot ||
            rules->cannot_win(&pos, BLACK) != rows[i].black_cannot)
            fail_msg("%s: %d %d", rows[i].fen, rules->cannot_win(&pos, WHITE),
                     rules->cannot_win(&pos, BLACK));
    }
}

TEST(moves_are_legal_as_listed)
{
    static const struct {
        const char *name;
        Ruleset ruleset;
        const char *fen, *uci;
        bool is_legal;
    } rows[] = {
        { "a king does not capture", RULES_ATOMIC, "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2",
          false },
        { "a capture beside our king", RULES_ATOMIC, "4k3/8/8/8/8/8/4p3/3RK3 w - - 0 1", "e1d2",
          true },
        { "the king goes next to the other through attacks", RULES_ATOMIC,
          "8/8/8/3k4/7r/3K4/8/8 w - - 0 1", "d3d4", true },
        { "the king leaves the other into a check", RULES_ATOMIC, "8/8/8/3k4/3K3r/8/8/8 w - - 0 1",
          "d4c3", true },
        { "the first rank's step of two", RULES_HORDE, "4k3/8/8/8/8/8/8/P7 w - - 0 1", "a1a3",
          true },
        { "a capture is forced", RULES_ANTICHESS, "8/8/8/8/8/1p6/1R6/7K w - - 0 1", "h1h2", false },
        { "en passant is forced", RULES_ANTICHESS, "8/8/8/3pP3/8/8/8/7K w - d6 0 1", "h1h2",
          false },
        { "the king is promoted to", RULES_ANTICHESS, "8/P7/8/8/8/8/7p/8 w - - 0 1", "a7a8k",
          true },
        { "… by a capture", RULES_ANTICHESS, "1n6/P7/8/8/8/8/7p/8 w - - 0 1", "a7b8k", true },
        { "no move gives check", RULES_RACING_KINGS, "8/8/8/8/8/8/k6K/6R1 w - - 0 1", "g1a1",
          false },
        { "a drop that blocks", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/r3K3[N] w - - 0 1", "N@c1",
          true },
        { "a drop that does not", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/r3K3[N] w - - 0 1", "N@c2",
          false },
        { "no drop against a knight's check", RULES_CRAZYHOUSE,
          "4k3/8/8/8/8/3n4/8/4K3[N] w - - 0 1", "N@d2", false },
        { "pawns are not dropped on the last rank", RULES_CRAZYHOUSE,
          "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a8", false },
        { "… nor on the first", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@a1",
          false },
        { "nothing is dropped that is not in hand", RULES_CRAZYHOUSE,
          "4k3/8/8/8/8/8/8/4K3[Pn] w - - 0 1", "N@a3", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        Move m;
        if (uci_move_match(&pos, rows[i].uci, strlen(rows[i].uci), &m, NULL) != rows[i].is_legal)
            fail_msg("%s", rows[i].name);
    }
}

TEST(positions_after_moves_are_as_listed)
{
    static const struct {
        const char *name;
        Ruleset ruleset;
        const char *fen, *moves, *after;
    } rows[] = {
        { "an explosion spares pawns", RULES_ATOMIC,
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 a7a6 f3e5 a6a5 e5f7",
          "rnbq3r/1pppp1pp/8/p7/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3" },
        { "a captured man changes sides", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/4q3/4K3[] w - - 3 1",
          "e1e2", "4k3/8/8/8/8/8/4K3/8[Q] b - - 0 1" },
        { "a promoted man is a pawn when captured", RULES_CRAZYHOUSE,
          "8/P3k3/8/8/8/8/7r/4K3[] w - - 0 1", "a7a8q h2h8 e1d1 h8a8",
          "r7/4k3/8/8/8/8/8/3K4[p] w - - 0 3" },
        { "it keeps its mark on its way", RULES_CRAZYHOUSE, "8/P3k3/8/8/8/8/7r/4K3[] w - - 0 1",
          "a7a8q h2h8 a8a1", "7r/4k3/8/8/8/8/8/Q~3K3[] b - - 2 2" },
        { "a drop leaves the hand", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 5 1", "P@a2",
          "4k3/8/8/8/8/8/P7/4K3[QPn] b - - 0 1" },
        { "a dropped piece resets no clock", RULES_CRAZYHOUSE,
          "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 5 1", "Q@a2", "4k3/8/8/8/8/8/Q7/4K3[PPn] b - - 6 1" },
        { "a dropped rook does not castle", RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/4b3/R3K3[R] w Q - 0 1",
          "e1e2 e8e7 e2e1 e7e8 R@h1", "4k3/8/8/8/8/8/8/R3K2R[B] b - - 4 3" },
        { "no en passant after a step from the first rank", RULES_HORDE,
          "4k3/8/8/8/8/1p6/8/P7 w - - 0 1", "a1a3", "4k3/8/8/8/8/Pp6/8/8 b - - 0 1" },
        { "en passant after a step from the second", RULES_HORDE, "4k3/8/8/8/1p6/8/P7/8 w - - 0 1",
          "a2a4", "4k3/8/8/8/Pp6/8/8/8 b - a3 0 1" },
        { "checks are counted for who gives them", RULES_THREE_CHECK,
          "4k3/8/8/8/8/8/8/4K2R w - - 3+3 0 1", "h1h8", "4k2R/8/8/8/8/8/8/4K3 b - - 2+3 1 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        play(&pos, rows[i].moves);
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        if (strcmp(fen, rows[i].after) != 0)
            fail_msg("%s: %s", rows[i].name, fen);
    }
}
