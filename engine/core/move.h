/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move.h - a move in 16 bits: flag << 12 | from << 6 | to. A plain value; 0 is "no move".
 * Bit 3 of the flag says promotion, bit 2 capture, bits 1-0 of a promotion the piece (N B R Q).
 * Castling holds the king's from and to squares; which rook follows from `to`, on the g or c file,
 * so in Chess960 the two squares may even be the same.
 *
 * Variants need two more kinds. A drop has a flag of its own and, for `from`, the kind of piece, 0
 * to 4. Promotion to a king, in antichess, needs the sixteenth and seventeenth value of a flag: by
 * a capture it has a flag of its own, by a push it shares that of drops. The two are told apart by
 * `from`, as no drop's is above e1 and no promotion begins on the first rank. So the bit for
 * capture and the bits for quiet moves hold for all moves; the bit for promotion means promotion
 * to N B R Q. */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

#include <assert.h>

typedef uint16_t Move;

enum {
    MOVE_NONE = 0,
    MOVE_QUIET = 0,
    MOVE_DOUBLE_PUSH = 1,
    MOVE_CASTLING = 2,
    MOVE_DROP = 3,
    MOVE_KING_PROMOTION = 3,
    MOVE_CAPTURE = 4,
    MOVE_EN_PASSANT = 5,
    MOVE_NO_FLAG = 6, /* no move has it */
    MOVE_CAPTURE_KING_PROMOTION = 7,
    MOVE_PROMOTION = 8, /* + 0..3: knight, bishop, rook, queen */
    MOVE_CAPTURE_PROMOTION = 12,
};
enum { CASTLING_KING_SIDE, CASTLING_QUEEN_SIDE };

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

/* Neither capture nor promotion to N B R Q. */
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
    return (m & 0xf000) == MOVE_CASTLING << 12;
}

/* Only for castling: CASTLING_KING_SIDE or CASTLING_QUEEN_SIDE. */
static inline unsigned move_castling_wing(Move m)
{
    return ~(unsigned)m >> 2 & 1; /* the g file has this bit of the square, the c file has not */
}

static inline bool move_is_drop(Move m)
{
    return (m & 0xfe00) == MOVE_DROP << 12;
}

/* Only for drops. */
static inline PieceType move_dropped(Move m)
{
    return (PieceType)move_from(m);
}

static inline Move move_make_drop(PieceType type, Square to)
{
    return move_make(type, to, MOVE_DROP);
}

/* With or without capture. */
static inline bool move_is_king_promotion(Move m)
{
    return (m & 0xb000) == MOVE_KING_PROMOTION << 12 && (m & 0x0e00) != 0;
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
