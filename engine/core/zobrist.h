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

/* Numbers beyond the book format's, for what variants compare beside the board: worked out where
 * they are needed, by splitmix64 (Sebastiano Vigna, prng.di.unimi.it). */
static inline uint64_t zobrist_beyond(unsigned index)
{
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

enum { BEYOND_RULESET = 0, BEYOND_CHECKS = 16, BEYOND_PROMOTED = 64, BEYOND_POCKET = 128 };

static inline uint64_t zobrist_ruleset(unsigned ruleset)
{
    return zobrist_beyond(BEYOND_RULESET + ruleset);
}

/* `count` checks given, 0 to 3. */
static inline uint64_t zobrist_checks(Colour colour, unsigned count)
{
    return zobrist_beyond(BEYOND_CHECKS + 4U * colour + count);
}

static inline uint64_t zobrist_promoted(Square square)
{
    return zobrist_beyond(BEYOND_PROMOTED + square);
}

/* `count` men of a kind in hand, 0 to 64. */
static inline uint64_t zobrist_pocket(Colour colour, PieceType type, unsigned count)
{
    return zobrist_beyond(BEYOND_POCKET + 65U * (5U * colour + type) + count);
}
