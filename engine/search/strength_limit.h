/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strength_limit.h - weaker play on purpose, for a target rating.
 *
 * A weak player calculates less and chooses worse. The search gets few nodes for several lines at
 * once: the lower the rating, the more lines, and the fewer nodes for each. The move is drawn from
 * the lines with a weight that falls with the score; the lower the rating, the slower it falls. A
 * loss in a decided game counts less, and a loss that shows at a glance counts several times:
 * people of any rating take back what was taken and leave no queen to be taken, and err where the
 * refutation lies deeper. Every move that is drawn was searched, and a mate that was found is
 * played. The ratings are those of Stockfish 15.1's UCI_Elo, against which the table was fitted
 * from 1350 to 2250. Below, each rating is fitted to the one 200 points above it; above, the table
 * is carried on with few games (engine/RESULTS.md). Pure. */
#pragma once
#include "engine/search/engine.h"

#include <stdint.h>

enum { STRENGTH_LIMIT_LINES = 18 };

typedef struct {
    uint64_t nodes; /* that the search gets, for all lines together */
    int lines;      /* that it searches, at most STRENGTH_LIMIT_LINES */
    int half_cp;    /* a line that is worse by this is drawn half as often */
} StrengthLimit;

/* `elo` beyond ELO_MIN..ELO_MAX counts as the nearest within. */
StrengthLimit strength_limit_for(int elo);

typedef struct {
    int score;  /* centipawns, score.h's */
    int glance; /* the same after one ply; -SCORE_INFINITE: below all that are known */
} StrengthLine;

/* Draws one of the first STRENGTH_LIMIT_LINES lines, in any order; the same one for the same
 * `seed`, any number. 0 where there are none. */
int strength_limit_choose(const StrengthLimit *limit, const StrengthLine lines[], int count,
                          uint64_t seed);
