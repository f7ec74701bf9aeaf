/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zobrist.h - the random numbers whose exclusive or is a position's key: those of the Polyglot book
 * format, so that a book needs no second key.
 * After: the format's description by Michel Van den Bergh, hgm.nubati.net/book_format.html. */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

enum {
    ZOBRIST_PIECES = 0, /* 64 each for black pawn, white pawn, black knight, … white king */
    ZOBRIST_CASTLING = 768,
    ZOBRIST_EN_PASSANT = 772, /* by file */
    ZOBRIST_WHITE_TO_MOVE = 780,
    ZOBRIST_COUNT = 781,
};

extern const uint64_t zobrist_numbers[ZOBRIST_COUNT];

static inline uint64_t zobrist_piece(Colour colour, PieceType type, Square square)
{
    return zobrist_numbers[ZOBRIST_PIECES + 128 * type + 64 * (colour ^ 1) + square];
}

/* Of a set of CastlingRights; linear, so the change of rights `a` to `b` is that of `a ^ b`. */
static inline uint64_t zobrist_castling(unsigned rights)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < 4; i++)
        key ^= rights >> i & 1 ? zobrist_numbers[ZOBRIST_CASTLING + i] : 0;
    return key;
}

static inline uint64_t zobrist_en_passant(Square square)
{
    return zobrist_numbers[ZOBRIST_EN_PASSANT + square_file(square)];
}

static inline uint64_t zobrist_side(void)
{
    return zobrist_numbers[ZOBRIST_WHITE_TO_MOVE];
}
