/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piece.h - colours, kinds of pieces, and their letters. */
#pragma once
#include <stdint.h>

typedef uint8_t Colour;
enum { WHITE, BLACK, COLOUR_COUNT };

static inline Colour colour_other(Colour colour)
{
    return colour == WHITE ? BLACK : WHITE;
}

typedef uint8_t PieceType;
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPE_COUNT, NO_PIECE_TYPE = 6 };

typedef uint8_t Piece; /* colour << 3 | type */
enum { PIECE_NONE = NO_PIECE_TYPE, PIECE_SLOTS = 16 /* size of an array indexed by Piece */ };

static inline Piece piece_make(Colour colour, PieceType type)
{
    return (Piece)(colour << 3 | type);
}

static inline PieceType piece_type(Piece piece)
{
    return piece & 7;
}

/* Only for a piece, not for PIECE_NONE. */
static inline Colour piece_colour(Piece piece)
{
    return piece >> 3;
}

/* "PNBRQKpnbrqk" as in FEN; '.' for PIECE_NONE. */
static inline char piece_letter(Piece piece)
{
    return "PNBRQK..pnbrqk.."[piece & 15];
}
