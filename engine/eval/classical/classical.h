/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classical.h - the hand-written evaluation: what a position is worth by terms with tuned
 * weights. Integers only, the same on every machine; nothing is allocated. Any thread, with a
 * pawn table of its own. After: chessprogramming.org, "Evaluation", "King Safety", "Pawn
 * Structure", "Texel's Tuning Method"; the terms and the form of king danger are those that
 * Stockfish's and Ethereal's hand-written evaluations have made common knowledge. */
#pragma once
#include "engine/eval/classical/pawn_table.h"

/* Centipawns for the side to move, not limited, by material, pieces and pawns; in check the value
 * means little. `pawns` is the caller's cache (zeroed: empty) and may be NULL; the value is the
 * same with any and with none. */
int classical_evaluate(const Position *pos, PawnTable *pawns);
