/* SPDX-License-Identifier: GPL-3.0-or-later */
/* see.h - static exchange evaluation: what a sequence of captures on one square wins.
 * Reads the position only; allocates nothing; any thread that holds a stable Position may call it.
 * Pinned pieces take part as if they were free, so the answer is an estimate.
 * After: chessprogramming.org, "SEE - The Swap Algorithm". */
#pragma once
#include "engine/core/position.h"

/* What pieces are worth in exchanges, in centipawns, by PieceType; the king's value is out of reach
 * of any exchange. */
extern const int see_value[PIECE_TYPE_COUNT + 1];

/* True if `m`, legal in `pos`, wins at least `threshold` (-20000..20000) for the side to move.
 * Castling counts as an exchange of 0; a promotion counts the promoted piece. */
bool see_at_least(const Position *pos, Move m, int threshold);

/* Atomic: what a capture takes off the board, less what it costs; a king is worth 20000. */
int see_explosion(const Position *pos, Move m);
