/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bitboard.h - squares and sets of squares. a1 = 0, b1 = 1, … h8 = 63; bit n stands for square n.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t Square;
enum { SQUARE_NONE = 64, SQUARE_COUNT = 64 };
enum { A1 = 0, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7, A8 = 56, E8 = 60, H8 = 63 };
enum { FILE_A, FILE_B, FILE_C, FILE_D, FILE_E, FILE_F, FILE_G, FILE_H };
enum { RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8 };

typedef uint64_t Bitboard;

#define BITBOARD_FILE_A 0x0101010101010101ULL
#define BITBOARD_FILE_H 0x8080808080808080ULL
#define BITBOARD_RANK_1 0x00000000000000ffULL
#define BITBOARD_RANK_2 0x000000000000ff00ULL
#define BITBOARD_RANK_3 0x0000000000ff0000ULL
#define BITBOARD_RANK_6 0x0000ff0000000000ULL
#define BITBOARD_RANK_8 0xff00000000000000ULL

static inline Square square_make(int file, int rank)
{
    return (Square)(rank << 3 | file);
}

static inline int square_file(Square square)
{
    return square & 7;
}

static inline int square_rank(Square square)
{
    return square >> 3;
}

/* The same square seen from the other side of the board (a1 <-> a8). */
static inline Square square_flip(Square square)
{
    return square ^ 56;
}

static inline Bitboard square_bit(Square square)
{
    return 1ULL << square;
}

static inline bool bitboard_has(Bitboard set, Square square)
{
    return set >> square & 1;
}

static inline int bitboard_count(Bitboard set)
{
    return __builtin_popcountll(set);
}

static inline bool bitboard_many(Bitboard set)
{
    return (set & (set - 1)) != 0;
}

/* The lowest square of a set that is not empty. */
static inline Square bitboard_first(Bitboard set)
{
    return (Square)__builtin_ctzll(set);
}

/* Takes the lowest square out of a set that is not empty. */
static inline Square bitboard_pop(Bitboard *set)
{
    Square square = bitboard_first(*set);
    *set &= *set - 1;
    return square;
}
