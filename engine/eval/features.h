/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.h - which inputs of the network a position switches on: one for each piece, in each of
 * the two views. A view has its own pieces first and its own side at the bottom. With its king on
 * the files e to h the board is mirrored, so that half of the situations need not be learnt. Both
 * kings are inputs; the side to move is not. Pure; shared by engine and trainer. After:
 * chessprogramming.org, "NNUE" (HalfKA's mirroring). */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

/* Does a view whose king stands here see the files mirrored? */
static inline bool features_are_mirrored(Square own_king)
{
    return (own_king & 4) != 0;
}

/* What a square is xor'ed with in the view of a side whose king stands on `own_king`. */
static inline Square features_flip(Colour view, Square own_king)
{
    Square ranks = view == BLACK ? 56 : 0, files = features_are_mirrored(own_king) ? 7 : 0;
    return ranks ^ files;
}

/* The input of a piece on a square, 0..767, with the view's features_flip(). */
static inline int features_index(Colour view, Square flip, Piece piece, Square square)
{
    int enemy = piece_colour(piece) != view;
    return 384 * enemy + 64 * piece_type(piece) + (square ^ flip);
}
