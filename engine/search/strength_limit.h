/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strength_limit.h - weaker play on purpose, for a target rating.
 *
 * A weak player calculates less and chooses worse. The search gets few nodes for several lines at
 * once: the lower the rating, the more lines. The move is drawn from the lines with a weight that
 * falls with the score; the lower the rating, the slower it falls. A loss in a decided game counts
 * less. Every move that is drawn was searched, and a mate that was found is played. The ratings are
 * those of Stockfish 15.1's UCI_Elo, against which the table was fitted from 1350 to 2250; beyond,
 * it is carried on. Pure. */
#pragma once
#include "engine/search/engine.h"

#include <stdint.h>

enum { STRENGTH_LIMIT_LINES = 8 };

typedef struct {
    uint64_t nodes; /* that the search gets, for all lines together */
    int lines;      /* that it searches, at most STRENGTH_LIMIT_LINES */
    int half_cp;    /* a line that is worse by this is drawn half as often */
} StrengthLimit;

/* `elo` beyond ELO_MIN..ELO_MAX counts as the nearest within. */
StrengthLimit strength_limit_for(int elo);

/* Draws one of the first STRENGTH_LIMIT_LINES lines by their scores (centipawns, engine.h's), in
 * any order; the same one for the same `seed`, any number. 0 where there are none. */
int strength_limit_choose(const StrengthLimit *limit, const int scores[], int count, uint64_t seed);
