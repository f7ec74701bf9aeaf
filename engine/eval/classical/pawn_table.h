/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pawn_table.h - a cache of what depends on pawns and kings alone. Each search thread owns one, as
 * nothing here is shared; zeroed memory is an empty table, and it never needs clearing. */
#pragma once
#include "engine/core/position.h"
#include "engine/eval/classical/tapered.h"

#include <assert.h>

typedef struct {
    uint64_t key;
    Tapered score; /* for White */
    Tapered danger[COLOUR_COUNT];
    Bitboard passed;                    /* of both sides */
    Bitboard attack_span[COLOUR_COUNT]; /* what a side's pawns attack now or after advancing */
    Bitboard unused;
} PawnEntry;

static_assert(sizeof(PawnEntry) == 64, "an entry fills a cache line");

enum { PAWN_TABLE_SIZE = 2048 /* a power of two; 128 KiB */ };

typedef struct {
    _Alignas(64) PawnEntry entries[PAWN_TABLE_SIZE];
} PawnTable;

/* Never 0, so that a zeroed entry fits no position. */
static inline uint64_t pawn_table_key(const Position *pos)
{
    uint64_t kings = (uint64_t)position_king(pos, WHITE) << 6 | position_king(pos, BLACK);
    return (pos->pawn_key ^ (kings + 1) * 0x9e3779b97f4a7c15ULL) | 1;
}

static inline PawnEntry *pawn_table_slot(PawnTable *table, uint64_t key)
{
    return &table->entries[key >> 1 & (PAWN_TABLE_SIZE - 1)];
}
