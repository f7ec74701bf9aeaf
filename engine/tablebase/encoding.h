/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoding.h - numbers the positions of a table: where the pieces stand -> index of the value.
 *
 * A table lists its pieces in its own order and takes them in groups. The leading group absorbs the
 * board's symmetries: the pawns of one colour, without pawns three pieces of kinds that occur once,
 * or else the two kings. Each further group of equal pieces is a combination of the squares left.
 * The index is a mixed-radix number with one digit for each group.
 * After: chess.stackexchange.com question 22207, "How does Syzygy store its information?", and
 * chessprogramming.org, "Syzygy Bases". Pure functions over constant data: any thread. */
#pragma once
#include "engine/tablebase/material.h"

enum {
    ENCODING_FILES = 4,      /* a table with pawns has a part for each file of the leading pawn */
    ENCODING_PAWNS_MAX = 5,  /* of one colour */
    ENCODING_ORDER_NONE = 15 /* "no second group of pawns" in a table's header */
};

/* The numbers that all encodings share: filled once, then only read. */
typedef struct {
    uint32_t choose[ENCODING_PAWNS_MAX + 1][SQUARE_COUNT]; /* [k][n]: n over k */
    uint8_t triangle[SQUARE_COUNT];   /* a1-d1-d4: 0..5 below the diagonal, then 6..9 on it */
    uint8_t below[SQUARE_COUNT];      /* squares below the diagonal a1-h8: 0..27 */
    uint16_t kings[10][SQUARE_COUNT]; /* [triangle][other king]: 0..461 */
    uint8_t pawn_rank[SQUARE_COUNT];  /* a2, h2, a3, … e7: 47 down to 0; the highest pawn leads */
    /* [pawns][square of the leader]: index of the first position, within its file */
    uint32_t lead_pawns[ENCODING_PAWNS_MAX + 1][SQUARE_COUNT];
    uint32_t lead_pawns_size[ENCODING_PAWNS_MAX + 1][ENCODING_FILES];
} EncodingLookup;

typedef enum { LEAD_PAWNS, LEAD_THREE, LEAD_KINGS } EncodingLead;

typedef struct {
    EncodingLead lead;
    uint8_t piece_count;
    uint8_t groups;
    uint8_t group_size[SYZYGY_PIECES_MAX];
    bool second_is_pawns; /* the second group are the other colour's pawns */
    Piece pieces[SYZYGY_PIECES_MAX];
    uint64_t group_factor[SYZYGY_PIECES_MAX];
    uint64_t size; /* every index is below */
} Encoding;

void encoding_lookup_init(EncodingLookup *tables);

/* The colour whose pawns lead: that with fewer of them, but some; White when equal. Only for
 * material with pawns. */
Colour encoding_lead_colour(MaterialKey key);

/* Makes the encoding of `pieces` (as many as material_pieces(key)), as a table's header lists them.
 * `order` and `pawn_order` are the header's places of the leading group and of the second group of
 * pawns (ENCODING_ORDER_NONE without one); `file` counts only with pawns. False when the pieces are
 * not the material's or their order makes no encoding. */
bool encoding_init(Encoding *encoding, const EncodingLookup *tables, MaterialKey key,
                   const Piece *pieces, int order, int pawn_order, int file) MUST_CHECK;

/* The table part that holds a position, 0 (a and h) to 3 (d and e): the file of the leading pawn.
 * Only for material with pawns. */
int encoding_file(const EncodingLookup *tables, MaterialKey key, const Position *pos, bool swap);

/* The index of a position that has the encoding's material, with `swap` after exchange of colours
 * and ranks. */
uint64_t encoding_index(const Encoding *encoding, const EncodingLookup *tables, const Position *pos,
                        bool swap);
