/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FENs of Lichess's variants: what the server and other programs write, and what is refused. */
#include "engine/core/variant_rules.h"
#include "tests/support/chess.h"

/* Each dialect, as it comes back from fen_write(). */
TEST(dialects_are_read)
{
    static const struct {
        Ruleset ruleset;
        const char *in, *out; /* NULL: the same */
    } rows[] = {
        { RULES_CRAZYHOUSE, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1" },
        { RULES_CRAZYHOUSE, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3/PNBRQpnbrq w - - 0 1",
          "4k3/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[pPpQP] b - - 0 1",
          "4k3/8/8/8/8/8/8/4K3[QPPpp] b - - 0 1" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/Q~3K2r~/p w - - 3 9",
          "4k3/8/8/8/8/8/8/Q~3K2r~[p] w - - 3 9" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3/ b - -", "4k3/8/8/8/8/8/8/4K3[] b - - 0 1" },
        { RULES_THREE_CHECK, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 12 40 +2+1",
          "4k3/8/8/8/8/8/8/4K3 w - - 1+2 12 40" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 12 40",
          "4k3/8/8/8/8/8/8/4K3 w - - 3+3 12 40" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - +3+0 12 40",
          "4k3/8/8/8/8/8/8/4K3 w - - 0+3 12 40" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 0+3", "4k3/8/8/8/8/8/8/4K3 w - - 0+3 0 1" },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/P6P w - - 0 1", NULL },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/8 w - - 0 1", NULL },
        { RULES_ANTICHESS, "8/8/3k1k2/8/8/8/8/8 w - - 0 1", NULL },
        { RULES_ATOMIC, "8/8/8/8/8/8/3P4/3QK3 b - - 0 1", NULL },
        { RULES_ATOMIC, "8/8/3kK3/8/8/8/8/3R4 w - - 0 1", NULL },
        { RULES_RACING_KINGS, "7K/k7/8/8/8/8/8/8 b - - 0 1", NULL },
        { RULES_KING_OF_THE_HILL, "4k3/8/8/8/3K4/8/8/8 b - - 0 1", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int mode = FEN_STRICT; mode <= FEN_LENIENT; mode++) {
            Position pos = position_as(rows[i].ruleset, rows[i].in, (FenMode)mode), again;
            char out[FEN_SIZE];
            fen_write(&pos, out);
            assert_string_equal(out, rows[i].out ? rows[i].out : rows[i].in);
            again = position_by(rows[i].ruleset, out);
            assert_memory_equal(&pos, &again, sizeof pos);
        }
    }
}

TEST(wrong_texts_get_an_error_that_says_where)
{
    static const struct {
        Ruleset ruleset;
        const char *fen, *error;
    } rows[] = {
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[Pk] w - - 0 1",
          "FEN pocket: 'k' is no man that can be dropped" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[2Pb] w - - 0 1", /* cutechess counts */
          "FEN pocket: '2' is no man that can be dropped" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3/P/p w - - 0 1",
          "FEN pocket: '/' is no man that can be dropped" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[P w - - 0 1",
          "FEN pocket: '[' is no man that can be dropped" },
        { RULES_CRAZYHOUSE,
          "4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP]"
          " w - - 0 1",
          "FEN pocket: more than 64 men with those on the board" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/P~7/8/4K3 w - - 0 1",
          "FEN board: a pawn or king is marked as promoted" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/~P7/8/8/4K3 w - - 0 1",
          "FEN board: rank 4: '~' is no piece" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K2P[] w - - 0 1",
          "FEN board: a pawn stands on rank 1" },
        { RULES_ATOMIC, "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "FEN board: rank 1: '[' is no piece" },
        { RULES_ATOMIC, "8/8/8/8/8/8/8/8 w - - 0 1", "FEN board: white has 0 kings, not 1" },
        { RULES_HORDE, "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
          "FEN board: white has 1 kings, not 0" },
        { RULES_HORDE, "4k3/8/8/8/8/8/8/7p w - - 0 1", "FEN board: a pawn stands on rank 1" },
        { RULES_HORDE, "4k3/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8 w - - 0 1",
          "FEN board: the horde has 40 men, not at most 36" },
        { RULES_HORDE, "4k2r/8/8/8/8/8/8/P6R w Kk - 0 1",
          "FEN castling: 'K': white never castles here" },
        { RULES_ANTICHESS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "FEN castling: 'K': white never castles here" },
        { RULES_RACING_KINGS, "8/8/8/8/8/8/k6K/r6R w K - 0 1",
          "FEN castling: 'K': white never castles here" },
        { RULES_RACING_KINGS, "8/8/8/8/8/8/k6K/7q w - - 0 1",
          "FEN board: white is in check, which these rules forbid" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1",
          "FEN checks: neither like 3+3 (left) nor like +0+0 (given)" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1",
          "FEN checks: neither like 3+3 (left) nor like +0+0 (given)" },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+1 x",
          "FEN: 7 fields or more, not 4 or 6" },
        { RULES_KING_OF_THE_HILL, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0+0",
          "FEN: 7 fields or more, not 4 or 6" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        if (fen_read_as(&pos, rows[i].ruleset, rows[i].fen, FEN_STRICT, NULL, &err) ||
            strcmp(err.text, rows[i].error) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", rows[i].fen, err.text, rows[i].error);
    }
}

TEST(lenient_reading_drops_what_the_rules_contradict)
{
    static const struct {
        Ruleset ruleset;
        const char *in, *out;
        int dropped;
    } rows[] = {
        { RULES_ANTICHESS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 4 },
        { RULES_HORDE, "r3k2r/8/8/8/8/8/8/P6R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/P6R w kq - 0 1",
          2 },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +7+0",
          "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", 1 },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/R~3K3/ w Q - 0 1", "4k3/8/8/8/8/8/8/R~3K3[] w Q - 0 1",
          0 },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/P~7/8/4K3/ w - - 0 1", "4k3/8/8/8/8/P7/8/4K3[] w - - 0 1",
          1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        char out[FEN_SIZE];
        int dropped = 4711;
        if (!fen_read_as(&pos, rows[i].ruleset, rows[i].in, FEN_LENIENT, &dropped, &err))
            fail_msg("%s: %s", rows[i].in, err.text);
        fen_write(&pos, out);
        assert_string_equal(out, rows[i].out);
        assert_int_equal(dropped, rows[i].dropped);
    }
}

/* The most that a position can hold: every square a marked man, every counter at its widest. */
TEST(the_longest_fen_fits)
{
    const char *board = "q~q~q~q~kq~q~q~/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/"
                        "q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~n~n~/q~q~q~q~q~q~n~K";
    char fen[FEN_SIZE], again[FEN_SIZE];
    int len = snprintf(fen, sizeof fen, "%s[] w - - 9999 9999", board);
    assert_in_range(len, 1, FEN_SIZE - 1);
    Position pos = position_by(RULES_CRAZYHOUSE, fen);
    fen_write(&pos, again);
    assert_string_equal(again, fen);
}
