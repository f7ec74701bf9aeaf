/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_position.h"
#include "bot/source/uci_text.h"
#include "tests/chess.h"

static void a_move_is_known_by_its_form(void **state)
{
    (void)state;
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

static void castling_is_the_same_in_either_notation(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool is_same;
    } rows[] = {
        { "e2e4", "e2e4", true },  { "e1g1", "e1h1", true },  { "e1h1", "e1g1", true },
        { "e8c8", "e8a8", true },  { "e2e4", "e2e3", false }, { "e1g1", "e1a1", false },
        { "e1g1", "e8h8", false }, { "d1g1", "d1h1", false }, { "e1g2", "e1h2", false },
        { "P@e4", "N@e4", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (uci_text_is_same(text_of(rows[i].a), text_of(rows[i].b)) != rows[i].is_same)
            fail_msg("%s %s", rows[i].a, rows[i].b);
    }
}

static void castling_is_found_without_rules(void **state)
{
    (void)state;
    static const struct {
        const char *name, *moves, *target, *rook;
    } rows[] = {
        { "none", "e2e4 e7e5", " e2e4 e7e5", " e2e4 e7e5" },
        { "as the king's way", "e1g1 e8c8", " e1g1 e8c8", " e1h1 e8a8" },
        { "as king takes rook", "e1a1 e8h8", " e1c1 e8g8", " e1a1 e8h8" },
        { "a rook that came to e1", "e1e2 a1e1 e1g1", " e1e2 a1e1 e1g1", " e1e2 a1e1 e1g1" },
        { "a king that came back", "e1e2 e2e1 e1g1", " e1e2 e2e1 e1g1", " e1e2 e2e1 e1g1" },
        { "a rook dropped where the king was", "R@e8 e8h8", " R@e8 e8h8", " R@e8 e8h8" },
        { "blanks", "  e1g1   e8g8 ", " e1g1 e8g8", " e1h1 e8h8" },
        { "empty", "", "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        buf_init(&out, 1000);
        assert_true(uci_text_write_moves(text_of(rows[i].moves), CASTLING_KING_TO_TARGET, &out));
        assert_string_equal(buf_view(&out), rows[i].target);
        buf_reset(&out);
        assert_true(uci_text_write_moves(text_of(rows[i].moves), CASTLING_KING_TAKES_ROOK, &out));
        assert_string_equal(buf_view(&out), rows[i].rook);
        buf_release(&out);
    }
    Buf out;
    buf_init(&out, 8);
    assert_false(uci_text_write_moves(text_of("e2e4 e7e5"), CASTLING_KING_TO_TARGET, &out));
    assert_false(uci_text_write_moves(text_of("e2e4\nquit"), CASTLING_KING_TO_TARGET, &out));
    buf_release(&out);
}

static void a_position_is_written_as_its_engine_reads_it(void **state)
{
    (void)state;
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
        { "a variant", NULL, "", "e2e4 P@e5 e1h1", VARIANT_CRAZYHOUSE,
          "startpos moves e2e4 P@e5 e1g1" },
        { "a variant's own start", NULL, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "",
          VARIANT_RACING_KINGS, "fen 8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Buf out;
        buf_init(&out, 1000);
        MoveRequest request = { .variant = rows[i].variant,
                                .fen = rows[i].fen,
                                .moves = text_of(rows[i].moves) };
        if (rows[i].position) {
            pos = position_of(rows[i].position);
            request.position = &pos;
        }
        bool ok = uci_position_write(&request, &out);
        if (ok != (rows[i].expected != NULL))
            fail_msg("%s", rows[i].name);
        if (ok)
            assert_string_equal(buf_view(&out), rows[i].expected);
        assert_int_equal(uci_position_is_960(&request), rows[i].variant == VARIANT_CHESS960);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_known_by_its_form),
        cmocka_unit_test(castling_is_the_same_in_either_notation),
        cmocka_unit_test(castling_is_found_without_rules),
        cmocka_unit_test(a_position_is_written_as_its_engine_reads_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
