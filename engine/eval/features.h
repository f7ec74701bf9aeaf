/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.h - which inputs of the network a position switches on: one for each piece, in each of
 * the two views. A view has its own pieces first and its own side at the bottom. With its king on
 * the files e to h the board is mirrored, so that half of the situations need not be learnt. Where
 * the king then stands decides which set of weights is looked at, of four or of eight:
 *
 *     ranks 5 to 8   3 3 3 3   7 7 7 7
 *     ranks 3, 4     3 3 3 3   6 6 6 6
 *     rank 2         2 2 2 2   4 4 5 5
 *     rank 1         0 0 1 1   0 1 2 3
 *                    a b c d   a b c d
 *
 * Both kings are inputs; the side to move is not. Pure; shared by engine and trainer. After:
 * chessprogramming.org, "NNUE" (HalfKA, mirroring, king buckets). */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

enum {
    FEATURES_KING_BUCKETS_MAX = 8,
    FEATURES_OF_BUCKET = 768,
    FEATURES_VIEWS = 2 * FEATURES_KING_BUCKETS_MAX,
};

/* How a side sees the board. */
typedef struct {
    Square flip; /* squares are xor'ed with it */
    int first;   /* input of its king bucket */
} FeatureView;

/* The view of a side whose king stands on `own_king`, with 4 or 8 king buckets. */
static inline FeatureView features_view(int king_buckets, Colour side, Square own_king)
{
    Square flip = (side == BLACK ? 56 : 0) ^ (own_king & 4 ? 7 : 0);
    Square king = own_king ^ flip;
    int rank = king >> 3, of_eight = rank == 0   ? king
                                     : rank == 1 ? 4 + (king >> 1 & 1)
                                                 : 6 + (rank >= 4);
    int bucket = of_eight * king_buckets / FEATURES_KING_BUCKETS_MAX;
    return (FeatureView){ flip, bucket * FEATURES_OF_BUCKET };
}

/* Numbers the ways in which a side can see the board, 0 to FEATURES_VIEWS - 1. */
static inline int features_view_number(FeatureView view)
{
    return 2 * (view.first / FEATURES_OF_BUCKET) + (view.flip & 1);
}

/* Does a king's move change how its side sees the board? */
static inline bool features_view_changes(int king_buckets, Colour side, Square from, Square to)
{
    FeatureView before = features_view(king_buckets, side, from);
    FeatureView after = features_view(king_buckets, side, to);
    return before.flip != after.flip || before.first != after.first;
}

/* The input of a piece on a square in the view of `side`. */
static inline int features_index(Colour side, FeatureView view, Piece piece, Square square)
{
    int enemy = piece_colour(piece) != side;
    return view.first + 384 * enemy + 64 * piece_type(piece) + (square ^ view.flip);
}
