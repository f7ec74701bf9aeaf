/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/fen.h"

#include "tests/support/unit.h"

TEST(accepted_texts_come_back_as_listed)
{
    static const struct {
        const char *in, *out; /* NULL: the same */
    } rows[] = {
        { FEN_START, NULL },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", FEN_START },
        { "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w\tKQkq - 0 1\n", FEN_START },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", FEN_START },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1", FEN_START },
        /* No pawn can take: the square means nothing. */
        { "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" },
        { "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", NULL },
        { "8/8/8/8/R1pP2k1/8/8/4K3 b - d3 0 1", NULL }, /* pinned on its rank, kept */
        { "4k3/8/8/8/8/8/8/4K2R w K - 99 9999", NULL },
        /* X-FEN: K means the outermost rook, the inner one needs its file. */
        { "1r2k1rr/8/8/8/8/8/8/1R2K1RR w GBgb - 0 1", "1r2k1rr/8/8/8/8/8/8/1R2K1RR w GQgq - 0 1" },
        { "1r2k1rr/8/8/8/8/8/8/1R2K1RR w KQkq - 0 1", NULL },
        { "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
          "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w KQkq - 0 1" },
        { "5rkr/8/8/8/8/8/8/RRK5 w Ak - 0 1", "5rkr/8/8/8/8/8/8/RRK5 w Qk - 0 1" },
        { "5rkr/8/8/8/8/8/8/RRK5 w Bf - 0 1", "5rkr/8/8/8/8/8/8/RRK5 w Bq - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos, again;
        Error err = { 0 };
        char out[FEN_SIZE];
        if (!fen_read(&pos, rows[i].in, FEN_STRICT, NULL, &err))
            fail_msg("%s: %s", rows[i].in, err.text);
        if (!position_validate(&pos, &err))
            fail_msg("%s: %s", rows[i].in, err.text);
        fen_write(&pos, out);
        assert_string_equal(out, rows[i].out ? rows[i].out : rows[i].in);
        assert_true(fen_read(&again, out, FEN_STRICT, NULL, NULL));
        assert_memory_equal(&pos, &again, sizeof pos);
    }
}

TEST(wrong_texts_get_an_error_that_names_the_field)
{
    static const struct {
        const char *fen, *error;
    } rows[] = {
        { "", "FEN: 0 fields, not 4 or 6" },
        { "8/8/8/8/8/8/8/8 w -", "FEN: 3 fields, not 4 or 6" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0", "FEN: 5 fields, not 4 or 6" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "FEN: 7 fields or more, not 4 or 6" },
        { "4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN board: fewer than 8 ranks" },
        { "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: more than 8 ranks" },
        { "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "FEN board: rank 1 has 7 squares, not 8" },
        { "4k3/8/8/8//8/8/4K3 w - - 0 1", "FEN board: rank 4 has 0 squares, not 8" },
        { "4k4/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: rank 8 has more than 8 squares" },
        { "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "FEN board: rank 7: '9' is no piece" },
        { "4k3/8/8/8/x7/8/8/4K3 w - - 0 1", "FEN board: rank 4: 'x' is no piece" },
        { "4k3/8/8/8/\x1b[2J/8/8/4K3 w - - 0 1", "FEN board: rank 4: '?' is no piece" },
        { "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "FEN board: rank 7: two numbers in a row" },
        { "8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: black has 0 kings, not 1" },
        { "4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "FEN board: white has 2 kings, not 1" },
        { "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: a pawn stands on rank 8" },
        { "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "FEN board: a pawn stands on rank 1" },
        { "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
          "FEN board: white has 9 pawns and 10 pieces in all" },
        { "nnnnknnn/nnnnnnnn/n7/n7/8/8/8/4K3 b - - 0 1",
          "FEN board: black has 0 pawns and 18 pieces in all" },
        { "4k3/8/8/8/8/2QQ4/PPPPPPPP/4K3 w - - 0 1",
          "FEN board: white has more promoted pieces than pawns gone" },
        { "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "FEN side to move: neither w nor b" },
        { "4k3/8/8/8/8/8/8/4K3 white - - 0 1", "FEN side to move: neither w nor b" },
        { "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
          "FEN side to move: white, but the black king is in check" },
        { "8/8/8/8/8/8/4k3/4K3 b - - 0 1",
          "FEN side to move: black, but the white king is in check" },
        { "4k3/2N5/3N4/8/8/8/8/4RK2 b - - 0 1", "FEN board: 3 pieces give check at once" },
        { "r3k2r/8/8/8/8/8/8/R3K1N1 w KQkq - 0 1", "FEN castling: 'K': white has no rook there" },
        { "r3k2r/8/8/8/8/8/4K3/R6R w kqQ - 0 1",
          "FEN castling: 'Q': the white king is not on its first rank" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkqb - 0 1", "FEN castling: 'b': black has no rook there" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
          "FEN castling: 'K': that wing's right is given twice" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w Kx - 0 1", "FEN castling: 'x' is no right" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1", "FEN castling: '-' is no right" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w E - 0 1", "FEN castling: 'E': white has no rook there" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d7 0 1", "FEN en passant: no pawn can just have passed d7" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "FEN en passant: no pawn can just have passed d3" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "FEN en passant: no pawn can just have passed e6" },
        { "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
          "FEN en passant: no pawn can just have passed d6" },
        { "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
          "FEN en passant: no pawn can just have passed d6" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "FEN en passant: neither a square nor -" },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - i6 0 1", "FEN en passant: neither a square nor -" },
        /* White was in check from the rook already before the pawn moved. */
        { "4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", "FEN en passant: no pawn can just have passed d6" },
        { "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "FEN halfmove clock: not a number from 0 to 9999" },
        { "4k3/8/8/8/8/8/8/4K3 w - - x 1", "FEN halfmove clock: not a number from 0 to 9999" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "FEN fullmove number: not a number from 1 to 9999" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 10000", "FEN fullmove number: not a number from 1 to 9999" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "FEN fullmove number: not a number from 1 to 9999" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos, untouched;
        memset(&pos, 0x5a, sizeof pos);
        memset(&untouched, 0x5a, sizeof untouched);
        Error err = { 0 };
        bool ok = fen_read(&pos, rows[i].fen, FEN_STRICT, NULL, &err);
        if (ok != !rows[i].error || strcmp(err.text, rows[i].error ? rows[i].error : "") != 0)
            fail_msg("%s: \"%s\", not \"%s\"", rows[i].fen, err.text, rows[i].error);
        if (!ok)
            assert_memory_equal(&pos, &untouched, sizeof pos);
    }
}

TEST(lenient_reading_drops_what_the_board_contradicts)
{
    static const struct {
        const char *in, *out;
        int dropped;
    } rows[] = {
        { FEN_START, FEN_START, 0 },
        { "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 3 9", "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 3 9", 1 },
        { "r3k2r/8/8/8/8/8/4K3/7R w KQxy - 3 9", "r3k2r/8/8/8/8/8/4K3/7R w - - 3 9", 4 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 1 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 0 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - - 7", "4k3/8/8/3pP3/8/8/8/4K3 w - - 7 1", 0 },
        { "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 0", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 1 },
        { "4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1",
          "4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", -1 },
        { "k7/8/8/8/8/1QQQQQQQ/1QQQQQQQ/4K3 b - - 0 1",
          "k7/8/8/8/8/1QQQQQQQ/1QQQQQQQ/4K3 b - - 0 1", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        char out[FEN_SIZE];
        int dropped = 4711;
        bool ok = fen_read(&pos, rows[i].in, FEN_LENIENT, &dropped, &err);
        assert_int_equal(ok, rows[i].dropped >= 0); /* -1: the other king is in check */
        if (!ok)
            continue;
        fen_write(&pos, out);
        assert_string_equal(out, rows[i].out);
        assert_int_equal(dropped, rows[i].dropped);
        assert_true(position_validate(&pos, &err));
    }
}

TEST(only_castling_rights_tell_chess960)
{
    static const struct {
        const char *fen;
        bool chess960;
    } rows[] = {
        { FEN_START, false },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", false },
        { "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1", true },
        { "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w - - 0 1", false },
        { "1r2k2r/8/8/8/8/8/8/R3K2R w KQkb - 0 1", true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        assert_true(fen_read(&pos, rows[i].fen, FEN_STRICT, NULL, NULL));
        assert_int_equal(pos.rules.chess960, rows[i].chess960);
    }
}
