/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move.h - a move in 16 bits: flag << 12 | from << 6 | to. A plain value; 0 is "no move".
 * Bit 3 of the flag says promotion, bit 2 capture, bits 1-0 of a promotion the piece (N B R Q).
 * Castling holds the king's from and to squares (to is on the g or c file); the flag says which
 * rook, so in Chess960 the two squares may even be the same. */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

#include <assert.h>

typedef uint16_t Move;

enum {
    MOVE_NONE = 0,
    MOVE_QUIET = 0,
    MOVE_DOUBLE_PUSH = 1,
    MOVE_CASTLE_KING = 2,
    MOVE_CASTLE_QUEEN = 3,
    MOVE_CAPTURE = 4,
    MOVE_EN_PASSANT = 5,
    MOVE_PROMOTION = 8, /* + 0..3: knight, bishop, rook, queen */
    MOVE_CAPTURE_PROMOTION = 12,
};

static_assert(sizeof(Move) == 2, "TT, books and the archive store 16-bit moves");

static inline Move move_make(Square from, Square to, unsigned flag)
{
    return (Move)(flag << 12 | (unsigned)from << 6 | to);
}

static inline Square move_to(Move m)
{
    return m & 63;
}

static inline Square move_from(Move m)
{
    return (m >> 6) & 63;
}

static inline unsigned move_flag(Move m)
{
    return m >> 12;
}

static inline bool move_is_capture(Move m)
{
    return (m & 0x4000) != 0;
}

static inline bool move_is_promotion(Move m)
{
    return (m & 0x8000) != 0;
}

/* Neither capture nor promotion. */
static inline bool move_is_quiet(Move m)
{
    return (m & 0xc000) == 0;
}

static inline bool move_is_en_passant(Move m)
{
    return (m & 0xf000) == MOVE_EN_PASSANT << 12;
}

static inline bool move_is_double_push(Move m)
{
    return (m & 0xf000) == MOVE_DOUBLE_PUSH << 12;
}

static inline bool move_is_castling(Move m)
{
    return (m & 0xe000) == MOVE_CASTLE_KING << 12;
}

/* Only for captures: where the captured piece stands. */
static inline Square move_captured_square(Move m)
{
    return move_is_en_passant(m) ? move_to(m) ^ 8 : move_to(m);
}

/* Only for promotions. */
static inline PieceType move_promotion(Move m)
{
    return (PieceType)(KNIGHT + ((m >> 12) & 3));
}
