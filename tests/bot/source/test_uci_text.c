/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_position.h"
#include "bot/source/uci_text.h"
#include "tests/support/chess.h"

TEST(a_move_is_known_by_its_form)
{
    static const struct {
        const char *text;
        bool is_move;
    } rows[] = {
        { "e2e4", true },   { "a1h8", true },   { "e7e8q", true },   { "a7a8k", true },
        { "P@e4", true },   { "N@a1", true },   { "Q@h8", true },    { "", false },
        { "e2", false },    { "e2e", false },   { "e2e9", false },   { "i2e4", false },
        { "E2E4", false },  { "e7e8Q", false }, { "e7e8p", false },  { "e7e8qq", false },
        { "K@e4", false },  { "p@e4", false },  { "P@e9", false },   { "P@e", false },
        { "P@e44", false }, { "0000", false },  { "(none)", false }, { "@@@@", false },
        { "e2-e4", false }, { " e2e4", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (uci_text_is_move(text_of(rows[i].text)) != rows[i].is_move)
            fail_msg("\"%s\"", rows[i].text);
    }
    assert_false(uci_text_is_move((Text){ "e2e4\0", 5 }));
    assert_false(uci_text_is_move((Text){ NULL, 0 }));
}

TEST(a_position_is_written_as_its_engine_reads_it)
{
    static const struct {
        const char *name, *position, *fen, *moves;
        Variant variant;
        const char *expected; /* NULL: refused */
    } rows[] = {
        { "start", FEN_START, "", "", VARIANT_STANDARD, "startpos" },
        { "start as a FEN", FEN_START, FEN_START, "e2e4", VARIANT_STANDARD, "startpos moves e2e4" },
        { "castling in standard", FEN_START, "", "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1h1 e8g8",
          VARIANT_STANDARD, "startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8" },
        { "a rook on e1", "7k/8/8/8/8/8/8/K3R3 w - - 0 1", "7k/8/8/8/8/8/8/K3R3 w - - 0 1", "e1g1",
          VARIANT_FROM_POSITION, "fen 7k/8/8/8/8/8/8/K3R3 w - - 0 1 moves e1g1" },
        { "castling in Chess960", "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
          "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", "e1g1", VARIANT_CHESS960,
          "fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1 moves e1g1" },
        { "an illegal list", FEN_START, "", "e2e5", VARIANT_STANDARD, NULL },
        { "a variant", FEN_START, "", "e2e4 d7d5 e4d5 d8d5 P@e6 d5d2 e1d2", VARIANT_CRAZYHOUSE,
          "startpos moves e2e4 d7d5 e4d5 d8d5 P@e6 d5d2 e1d2" },
        { "castling in a variant", FEN_START, "", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1",
          VARIANT_THREE_CHECK, "startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1" },
        { "a variant's own start", FEN_START, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "",
          VARIANT_RACING_KINGS, "startpos" },
        { "another one, in the engines' words", FEN_START,
          "8/8/8/8/8/8/krbnNBRK/qrbn1BRQ b - - 0 1", "a2a3", VARIANT_RACING_KINGS,
          "fen 8/8/8/8/8/8/krbnNBRK/qrbn1BRQ b - - 0 1 moves a2a3" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Buf out;
        buf_init(&out, 1000);
        MoveRequest request = { .variant = rows[i].variant,
                                .fen = rows[i].fen,
                                .moves = text_of(rows[i].moves) };
        pos = position_of(rows[i].position);
        request.position = &pos;
        bool ok = uci_position_write(&request, &out);
        if (ok != (rows[i].expected != NULL))
            fail_msg("%s", rows[i].name);
        if (ok)
            assert_string_equal(buf_view(&out), rows[i].expected);
        assert_int_equal(uci_position_is_960(&request), rows[i].variant == VARIANT_CHESS960);
        buf_release(&out);
    }
}
