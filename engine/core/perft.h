/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perft.h - counts the leaves of the legal move tree: the test of the rules and of their speed. */
#pragma once
#include "engine/core/movegen.h"

#include <stdio.h>

/* Leaves at `depth` plies (0 gives 1). The last ply is counted, not made. `pos` is unchanged after.
 */
uint64_t perft(Position *pos, int depth);

/* Writes the leaves below each legal move at `depth` plies (1 or more), one `move: count` a line,
 * an empty line, and `Nodes searched: N`, as Stockfish does for `go perft`. */
void perft_divide(Position *pos, int depth, FILE *out);
