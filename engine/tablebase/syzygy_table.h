/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syzygy_table.h - one Syzygy file: what its header says, and the value stored for a position.
 *
 * The file is foreign bytes. What its header claims is checked against the file's size when the
 * table is made. What a lookup follows (block numbers, offsets, symbols) is checked at the lookup.
 * Wrong bytes give wrong values or SYZYGY_BROKEN, never a read outside. A made table is only read:
 * any thread. After: chess.stackexchange.com question 22207, "How does Syzygy store its
 * information?", and chessprogramming.org, "Syzygy Bases". */
#pragma once
#include "engine/tablebase/encoding.h"

typedef struct SyzygyTable SyzygyTable;

typedef enum { SYZYGY_WDL, SYZYGY_DTZ } SyzygyKind;

typedef enum {
    SYZYGY_FOUND,
    SYZYGY_OTHER_SIDE, /* a DTZ table holds one side to move: not this one */
    SYZYGY_BROKEN,     /* the file contradicts itself here */
} SyzygyAnswer;

/* Can a table have this size? All sizes are 16 more than a multiple of 64. */
bool syzygy_table_size_fits(uint64_t size);

/* Maps `path` and reads its header. `encodings` must outlive the table. The caller frees. The file
 * must not be shortened while it is mapped. */
bool syzygy_table_open(SyzygyTable **out, const char *path, MaterialKey key, SyzygyKind kind,
                       const EncodingLookup *encodings, Error *err) MUST_CHECK;

/* The same from bytes that the caller keeps until the table is freed. */
bool syzygy_table_view(SyzygyTable **out, const uint8_t *bytes, size_t size, MaterialKey key,
                       SyzygyKind kind, const EncodingLookup *encodings, Error *err) MUST_CHECK;

void syzygy_table_free(SyzygyTable *table);

/* The value for the side to move: -2 loss, -1 loss that the 50-move rule saves, 0, 1, 2. The
 * position has the table's material (with `swap`: with colours exchanged) and no castling rights.
 * En passant is not seen, and where a capture does as well or better any value up to the true one
 * may stand. */
SyzygyAnswer syzygy_table_wdl(const SyzygyTable *table, const Position *pos, bool swap, int *wdl);

/* Plies to the next capture or pawn move under best play, at least 1, without the 100 of cursed
 * wins and blessed losses. `wdl` is the position's true value, not 0; where a capture or pawn move
 * achieves it, any value may stand. */
SyzygyAnswer syzygy_table_dtz(const SyzygyTable *table, const Position *pos, bool swap, int wdl,
                              int *dtz);
