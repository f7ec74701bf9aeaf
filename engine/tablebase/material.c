/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tablebase/material.h"

#include <string.h>

/* Kinds of pieces from the highest down, as names list them. */
static const char name_order[] = "KQRBNP";
static const PieceType name_types[] = { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN };

/* One side's pieces: a king, then the others in order. */
static bool side_parse(MaterialKey *key, Colour colour, const char *text, size_t len)
{
    if (len == 0 || len >= SYZYGY_PIECES_MAX || text[0] != 'K')
        return false;
    const char *least = name_order + 1;
    for (size_t i = 1; i < len; i++) {
        const char *found = text[i] ? strchr(least, text[i]) : NULL;
        if (!found)
            return false;
        least = found;
        *key += (MaterialKey)1 << material_shift(colour, name_types[found - name_order]);
    }
    return true;
}

/* Does the first side of equally many pieces stand first in the order of names? */
static bool in_order(MaterialKey key)
{
    const MaterialKey one_side = ((MaterialKey)1 << MATERIAL_COLOUR_BITS) - 1;
    return (key & one_side) >= key >> MATERIAL_COLOUR_BITS;
}

int material_pieces(MaterialKey key)
{
    int piece_count = 2;
    for (; key; key >>= MATERIAL_PIECE_BITS)
        piece_count += (int)(key & 15);
    return piece_count;
}

bool material_parse(MaterialKey *out, const char *name, size_t len)
{
    const char *v = memchr(name, 'v', len);
    if (!v)
        return false;
    MaterialKey key = 0;
    size_t first = (size_t)(v - name);
    size_t second = len - first - 1;
    if (!side_parse(&key, WHITE, name, first) || !side_parse(&key, BLACK, v + 1, second))
        return false;
    int piece_count = material_pieces(key);
    if (piece_count < SYZYGY_PIECES_MIN || piece_count > SYZYGY_PIECES_MAX || first < second)
        return false;
    if (first == second && !in_order(key))
        return false;
    *out = key;
    return true;
}
