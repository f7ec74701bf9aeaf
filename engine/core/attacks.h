/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attacks.h - which squares a piece attacks. Tables are const, made at build time by
 * gen_attacks.c; any thread.
 *
 * Sliders come in two ways with the same results: PEXT, where the processor has it in hardware, and
 * magic multiplication everywhere. A build for one machine decides when it is compiled; a portable
 * build when the program is loaded.
 * After: chessprogramming.org, "Magic Bitboards", "BMI2 - PEXT Bitboards". */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

/* What depends on one square alone, in one cache line. */
typedef struct {
    Bitboard pawn[COLOUR_COUNT];
    Bitboard knight;
    Bitboard king;
    Bitboard diagonal;     /* the lines through the square, itself included: the way of a1-h8, */
    Bitboard antidiagonal; /* of h1-a8, */
    Bitboard bishop_rays;  /* both without the square: a bishop on an empty board */
    Bitboard rook_rays;
} SquareAttacks;

extern const SquareAttacks attacks_from[SQUARE_COUNT];
extern const Bitboard attacks_between_table[SQUARE_COUNT][SQUARE_COUNT];
extern const Bitboard attacks_line_table[SQUARE_COUNT][SQUARE_COUNT];

/* Where the attacks of a slider on one square begin, in the table of all of them. */
typedef struct {
    Bitboard rook_mask, bishop_mask; /* the squares whose occupancy matters */
    uint32_t rook_offset, bishop_offset;
} PextSquare;

typedef struct {
    Bitboard mask;
    uint64_t magic;
    uint32_t offset;
    uint32_t shift;
} MagicSquare;

enum { SLIDER_ATTACKS_COUNT = 107648 /* sum of 2 ^ squares that matter */ };

extern const PextSquare attacks_pext_squares[SQUARE_COUNT];
extern const Bitboard attacks_pext_table[SLIDER_ATTACKS_COUNT];
extern const MagicSquare attacks_magic_rook_squares[SQUARE_COUNT];
extern const MagicSquare attacks_magic_bishop_squares[SQUARE_COUNT];
extern const Bitboard attacks_magic_table[SLIDER_ATTACKS_COUNT];

static inline Bitboard attacks_magic_rook(Square square, Bitboard occupied)
{
    const MagicSquare *s = &attacks_magic_rook_squares[square];
    return attacks_magic_table[s->offset + ((occupied & s->mask) * s->magic >> s->shift)];
}

static inline Bitboard attacks_magic_bishop(Square square, Bitboard occupied)
{
    const MagicSquare *s = &attacks_magic_bishop_squares[square];
    return attacks_magic_table[s->offset + ((occupied & s->mask) * s->magic >> s->shift)];
}

#if defined(__x86_64__)
    #include <immintrin.h>

    #define ATTACKS_HAVE_PEXT 1

__attribute__((target("bmi2"))) static inline Bitboard attacks_pext_rook(Square square,
                                                                         Bitboard occupied)
{
    const PextSquare *s = &attacks_pext_squares[square];
    return attacks_pext_table[s->rook_offset + _pext_u64(occupied, s->rook_mask)];
}

__attribute__((target("bmi2"))) static inline Bitboard attacks_pext_bishop(Square square,
                                                                           Bitboard occupied)
{
    const PextSquare *s = &attacks_pext_squares[square];
    return attacks_pext_table[s->bishop_offset + _pext_u64(occupied, s->bishop_mask)];
}
#endif

/* Rooks, bishops: `occupied` blocks; the first blocker on each ray is attacked, of either colour.
 */
#if defined(CASTLED_PORTABLE) && defined(__x86_64__)
Bitboard attacks_rook(Square square, Bitboard occupied);
Bitboard attacks_bishop(Square square, Bitboard occupied);
#else
static inline Bitboard attacks_rook(Square square, Bitboard occupied)
{
    /* AMD before Zen 3 has PEXT in microcode, slower than a multiplication. */
    #if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(__bdver4__)
    return attacks_pext_rook(square, occupied);
    #else
    return attacks_magic_rook(square, occupied);
    #endif
}

static inline Bitboard attacks_bishop(Square square, Bitboard occupied)
{
    #if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(__bdver4__)
    return attacks_pext_bishop(square, occupied);
    #else
    return attacks_magic_bishop(square, occupied);
    #endif
}
#endif

/* The squares that a pawn of colour `by` on `square` attacks. */
static inline Bitboard attacks_pawn(Colour by, Square square)
{
    return attacks_from[square].pawn[by];
}

static inline Bitboard attacks_knight(Square square)
{
    return attacks_from[square].knight;
}

static inline Bitboard attacks_king(Square square)
{
    return attacks_from[square].king;
}

/* Sliders on an otherwise empty board. */
static inline Bitboard attacks_rook_rays(Square square)
{
    return attacks_from[square].rook_rays;
}

static inline Bitboard attacks_bishop_rays(Square square)
{
    return attacks_from[square].bishop_rays;
}

/* The squares strictly between two on one line; empty when they share none. */
static inline Bitboard attacks_between(Square a, Square b)
{
    return attacks_between_table[a][b];
}

/* The whole rank, file or diagonal through both, edge to edge; empty when they share none. */
static inline Bitboard attacks_line(Square a, Square b)
{
    return attacks_line_table[a][b];
}

/* What `type` (not a pawn) on `square` attacks. */
static inline Bitboard attacks_of(PieceType type, Square square, Bitboard occupied)
{
    Bitboard set = 0;
    if (type == KNIGHT)
        return attacks_knight(square);
    if (type == KING)
        return attacks_king(square);
    if (type == BISHOP || type == QUEEN)
        set |= attacks_bishop(square, occupied);
    if (type == ROOK || type == QUEEN)
        set |= attacks_rook(square, occupied);
    return set;
}

/* All that pawns of one colour attack. */
static inline Bitboard attacks_of_pawns(Colour by, Bitboard pawns)
{
    Bitboard west = pawns & ~BITBOARD_FILE_A, east = pawns & ~BITBOARD_FILE_H;
    return by == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}
