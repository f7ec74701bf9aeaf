/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/features.h"

#include "engine/core/fen.h"
#include "engine/eval/network_file.h"
#include "tests/games.h"
#include "tests/unit.h"

/* A view's inputs as a set. */
typedef struct {
    bool active[NETWORK_INPUTS];
} Inputs;

static Inputs inputs_of(const Position *pos, Colour view)
{
    Inputs inputs = { 0 };
    Square flip = features_flip(view, position_king(pos, view));
    for (Bitboard left = pos->occupied; left;) {
        Square square = bitboard_pop(&left);
        int index = features_index(view, flip, pos->board[square], square);
        assert_in_range(index, 0, NETWORK_INPUTS - 1);
        assert_false(inputs.active[index]);
        inputs.active[index] = true;
    }
    return inputs;
}

/* The position with each piece on another square, by xor, and with colours exchanged or not. */
static Position moved(const Position *pos, Square by, bool swapped)
{
    Position out = *pos;
    for (Square s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = pos->board[s];
        out.board[s ^ by] = piece == PIECE_NONE || !swapped ? piece : (Piece)(piece ^ 8);
    }
    out.side_to_move ^= swapped;
    out.castling = 0;
    out.en_passant = SQUARE_NONE;
    position_derive(&out);
    return out;
}

static void check_twins(Position *pos, void *user)
{
    (void)user;
    const Position flipped = moved(pos, 56, true), mirrored = moved(pos, 7, false);
    for (Colour view = WHITE; view <= BLACK; view++) {
        const Inputs inputs = inputs_of(pos, view);
        const Inputs of_flipped = inputs_of(&flipped, view ^ 1);
        const Inputs of_mirrored = inputs_of(&mirrored, view);
        assert_memory_equal(&inputs, &of_flipped, sizeof inputs);
        assert_memory_equal(&inputs, &of_mirrored, sizeof inputs);
    }
}

static void twins_have_the_same_inputs(void **state)
{
    (void)state;
    game_set_play(3, 20, check_twins, NULL);
}

static void each_piece_has_the_input_of_the_format(void **state)
{
    (void)state;
    /* Square, piece, own king, view; and the index worked out by hand. */
    static const struct {
        Piece piece;
        Square square, king;
        Colour view;
        int index;
    } rows[] = {
        { 0 /* white pawn */, 8 /* a2 */, 0 /* a1 */, WHITE, 8 },
        { 0, 8, 4 /* e1 */, WHITE, 15 },
        { 8 /* black pawn */, 48 /* a7 */, 0, WHITE, 384 + 48 },
        { 8, 48, 56 /* a8 */, BLACK, 8 },
        { 8, 48, 60 /* e8 */, BLACK, 15 },
        { 5 /* white king */, 4, 60, BLACK, 384 + 320 + 59 },
        { 13 /* black king */, 59 /* d8 */, 59, BLACK, 320 + 3 },
        { 13, 63 /* h8 */, 3 /* d1 */, WHITE, 767 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(features_index(rows[i].view, features_flip(rows[i].view, rows[i].king),
                                        rows[i].piece, rows[i].square),
                         rows[i].index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_have_the_same_inputs),
        cmocka_unit_test(each_piece_has_the_input_of_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
