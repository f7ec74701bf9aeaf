/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piece_keys.h - Zobrist keys of parts of a position, kept by the code that needs them (the
 * search's correction histories). The pawns' key is the position's own, position.h. Pure. */
#pragma once
#include "engine/core/change.h"

typedef struct {
    uint64_t non_pawn[COLOUR_COUNT]; /* knights to king, by colour */
    uint64_t minor, major;           /* knights and bishops, rooks and queens, of both sides */
} PieceKeys;

/* From scratch. */
PieceKeys piece_keys_of(const Position *pos);

/* `keys` after a change of the board. */
PieceKeys piece_keys_after(const PieceKeys *keys, const Change *change);
