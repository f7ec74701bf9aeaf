/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/beside_board.h"

#include "tests/support/unit.h"

TEST(hands_and_checks_are_read_off_a_fen)
{
    static const struct {
        const char *fen, *white, *black;
    } rows[] = {
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", "" },
        { "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 0 1", "♛♟♟", "♞" },
        { "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "", "" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "", "" },
        { "4k3/8/8/8/8/8/8/4K3 w - - 1+0 0 1", "+2", "+3" },
        /* What is none says nothing. */
        { "", "", "" },
        { "4k3[", "", "" },
        { "4k3[QxK\x01", "♛", "" },
        { "a b c d 9+3 e", "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Buf out;
        buf_init(&out, 100);
        assert_true(beside_board_write(&out, text_of(rows[i].fen), WHITE));
        assert_string_equal(buf_view(&out), rows[i].white);
        buf_reset(&out);
        assert_true(beside_board_write(&out, text_of(rows[i].fen), BLACK));
        assert_string_equal(buf_view(&out), rows[i].black);
        buf_release(&out);
    }
}
