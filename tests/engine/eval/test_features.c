/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/features.h"

#include "engine/core/fen.h"
#include "engine/eval/network_file.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

/* A view's inputs as a set. */
typedef struct {
    bool active[FEATURES_KING_BUCKETS_MAX * FEATURES_OF_BUCKET];
} Inputs;

static Inputs inputs_of(const Position *pos, Colour view)
{
    Inputs inputs = { 0 };
    FeatureView seen = features_view(8, view, position_king(pos, view));
    for (Bitboard left = pos->occupied; left;) {
        Square square = bitboard_pop(&left);
        int index = features_index(view, seen, pos->board[square], square);
        assert_in_range(index, 0, (int)sizeof inputs.active - 1);
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

TEST(twins_have_the_same_inputs)
{
    game_set_play(3, 20, check_twins, NULL);
}

TEST(each_piece_has_the_input_of_the_format)
{
    /* Square, piece, own king, view; and the index worked out by hand. */
    static const struct {
        Piece piece;
        Square square, king;
        Colour view;
        int index;
    } rows[] = {
        { 0 /* white pawn */, 8 /* a2 */, 0 /* a1 */, WHITE, 8 },
        { 0, 8, 4 /* e1 */, WHITE, 768 + 15 },
        { 8 /* black pawn */, 48 /* a7 */, 0, WHITE, 384 + 48 },
        { 8, 48, 56 /* a8 */, BLACK, 8 },
        { 8, 48, 62 /* g8 */, BLACK, 15 },
        { 8, 48, 52 /* e7 */, BLACK, 2 * 768 + 15 },
        { 8, 48, 24 /* a4 */, BLACK, 3 * 768 + 8 },
        { 0, 8, 15 /* h2 */, WHITE, 2 * 768 + 15 },
        { 0, 8, 16 /* a3 */, WHITE, 3 * 768 + 8 },
        { 5 /* white king */, 4, 60 /* e8 */, BLACK, 768 + 384 + 320 + 59 },
        { 13 /* black king */, 59 /* d8 */, 59, BLACK, 768 + 320 + 3 },
        { 13, 63 /* h8 */, 3 /* d1 */, WHITE, 768 + 767 },
        { 13, 63, 59, WHITE, 3071 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(features_index(rows[i].view, features_view(4, rows[i].view, rows[i].king),
                                        rows[i].piece, rows[i].square),
                         rows[i].index);
}

TEST(eight_king_buckets_are_finer_ones_of_the_four)
{
    static const char buckets[65] = "01233210"
                                    "44555544"
                                    "66666666"
                                    "66666666"
                                    "77777777"
                                    "77777777"
                                    "77777777"
                                    "77777777"; /* from White's first rank on */
    for (Square king = 0; king < SQUARE_COUNT; king++) {
        int bucket = buckets[king] - '0';
        assert_int_equal(features_view(8, WHITE, king).first, 768 * bucket);
        assert_int_equal(features_view(8, BLACK, king ^ 56).first, 768 * bucket);
        assert_int_equal(features_view(4, WHITE, king).first, 768 * (bucket / 2));
        assert_in_range(features_view_number(features_view(8, WHITE, king)), 0, 15);
    }
}

TEST(view_changes_where_mirror_or_bucket_do)
{
    static const struct {
        Colour side;
        Square from, to;
        bool changes; /* with four king buckets */
    } rows[] = {
        { WHITE, 0 /* a1 */, 1 /* b1 */, false }, { WHITE, 1, 2 /* c1 */, true },
        { WHITE, 3 /* d1 */, 4 /* e1 */, true },  { WHITE, 4, 5 /* f1 */, false },
        { WHITE, 4, 6 /* g1 */, true },           { WHITE, 8 /* a2 */, 11 /* d2 */, false },
        { WHITE, 11, 12 /* e2 */, true },         { WHITE, 8, 16 /* a3 */, true },
        { WHITE, 16, 56 /* a8 */, false },        { BLACK, 60 /* e8 */, 62 /* g8 */, true },
        { BLACK, 62, 63 /* h8 */, false },        { BLACK, 40 /* a6 */, 0, false },
        { BLACK, 48 /* a7 */, 40, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (features_view_changes(4, rows[i].side, rows[i].from, rows[i].to) != rows[i].changes)
            fail_msg("row %zu", i);
    assert_true(features_view_changes(8, WHITE, 0 /* a1 */, 1 /* b1 */));
    assert_true(features_view_changes(8, BLACK, 47 /* h6 */, 31 /* h4 */));
    assert_false(features_view_changes(8, BLACK, 47, 38 /* g5 */));
}
