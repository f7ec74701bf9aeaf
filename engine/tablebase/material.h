/* SPDX-License-Identifier: GPL-3.0-or-later */
/* material.h - which pieces stand on the board, as a number and as Syzygy's name for it ("KRPvKR").
 *
 * A MaterialKey counts every kind of piece but the kings in four bits: White's in the low 20,
 * Black's in the high 20, from the pawn up. Any thread. */
#pragma once
#include "engine/core/position.h"

#include <stddef.h>

typedef uint64_t MaterialKey;

enum {
    SYZYGY_PIECES_MIN = 3,
    SYZYGY_PIECES_MAX = 7, /* kings included; no larger tables exist */
    SYZYGY_NAME_SIZE = 9,  /* "KQRvKRPP" is as long as it gets, with its NUL */
    MATERIAL_COLOUR_BITS = 20,
    MATERIAL_PIECE_BITS = 4,
};

static inline unsigned material_shift(Colour colour, PieceType type)
{
    return (unsigned)(colour * MATERIAL_COLOUR_BITS + type * MATERIAL_PIECE_BITS);
}

/* How many pieces of a kind other than kings. */
static inline int material_count(MaterialKey key, Colour colour, PieceType type)
{
    return (int)(key >> material_shift(colour, type) & 15);
}

/* Only for positions of at most SYZYGY_PIECES_MAX pieces. */
static inline MaterialKey material_of(const Position *pos)
{
    MaterialKey key = 0;
    for (Colour colour = WHITE; colour <= BLACK; colour++)
        for (PieceType type = PAWN; type < KING; type++)
            key |= (MaterialKey)bitboard_count(pos->pieces[colour][type])
                   << material_shift(colour, type);
    return key;
}

/* The same pieces with the colours exchanged. */
static inline MaterialKey material_swap(MaterialKey key)
{
    const MaterialKey one_side = ((MaterialKey)1 << MATERIAL_COLOUR_BITS) - 1;
    return key >> MATERIAL_COLOUR_BITS | (key & one_side) << MATERIAL_COLOUR_BITS;
}

/* Men of both sides, kings included. */
int material_pieces(MaterialKey key);

/* Reads name[0..len), White's pieces first. False unless a table may have this name:
 * SYZYGY_PIECES_MIN to SYZYGY_PIECES_MAX pieces, kinds in the order KQRBNP, the larger side first.
 * Among equally large sides the one with the higher kinds is first. */
bool material_parse(MaterialKey *out, const char *name, size_t len) MUST_CHECK;
