/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - one Syzygy file: what its header says, and the value stored for a position.
 *
 * The file is foreign bytes. Everything that its header claims is checked against the file's size
 * when the table is made, everything that a lookup follows (block numbers, offsets, symbols) when
 * it is followed: wrong bytes give wrong values or TABLE_BROKEN, never a read outside. A made table
 * is only read: any thread.
 * After: chess.stackexchange.com question 22207, "How does Syzygy store its information?", and
 * chessprogramming.org, "Syzygy Bases". */
#pragma once
#include "engine/tablebase/encoding.h"

typedef struct Table Table;

typedef enum { TABLE_WDL, TABLE_DTZ } TableKind;

typedef enum {
    TABLE_FOUND,
    TABLE_OTHER_SIDE, /* a DTZ table holds one side to move: not this one */
    TABLE_BROKEN,     /* the file contradicts itself here */
} TableAnswer;

/* Could a table have so many bytes? All sizes are 16 more than a multiple of 64. */
bool table_size_fits(uint64_t size);

/* Maps `path` and reads its header. `encodings` must outlive the table. The caller frees. Nobody
 * may shorten the file while it is mapped. */
bool table_open(Table **out, const char *path, MaterialKey key, TableKind kind,
                const EncodingTables *encodings, Error *err) MUST_CHECK;

/* The same from bytes that the caller keeps until the table is freed. */
bool table_view(Table **out, const uint8_t *bytes, size_t size, MaterialKey key, TableKind kind,
                const EncodingTables *encodings, Error *err) MUST_CHECK;

void table_free(Table *table);

/* The value for a position of the table's material without castling rights (with `swap`: of its
 * material after exchange of colours), for the side to move: -2 loss, -1 loss that the 50-move rule
 * saves, 0, 1, 2. En passant is not seen, and where a capture does as well or better any value up
 * to the true one may stand. */
TableAnswer table_wdl(const Table *table, const Position *pos, bool swap, int *wdl);

/* Plies to the next capture or pawn move under best play, at least 1, without the 100 of cursed
 * wins and blessed losses. `wdl` is the position's true value, not 0; where a capture or pawn move
 * achieves it, any value may stand. */
TableAnswer table_dtz(const Table *table, const Position *pos, bool swap, int wdl, int *dtz);
