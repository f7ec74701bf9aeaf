/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_figures.h - what games with labels look like as a set: results, scores, how far both agree.
 * A value; one thread. */
#pragma once
#include "engine/train/game_positions.h"

#include <stdio.h>

enum { FIGURES_SCORE_MAX = 1000, FIGURES_MEN_MAX = 32 };

typedef struct {
    uint64_t games, plies;
    uint64_t results[3]; /* games, by White's points in halves */
    uint64_t fates[POSITION_FATE_COUNT];
    uint64_t men[FIGURES_MEN_MAX + 1]; /* kept positions */
    uint64_t decisive, agreeing;       /* kept, in won games, |score| > 100; signs agree */
    int64_t score_sum, score_abs_sum;  /* of kept positions, centipawns for White */
    uint32_t by_score[2 * FIGURES_SCORE_MAX + 1][3]; /* kept positions whose result counts, by
                                                        score + FIGURES_SCORE_MAX and result */
} DataFigures;

/* Adds a game's positions[0..count). */
void data_figures_add(DataFigures *figures, const GamePosition *positions, int count,
                      uint8_t result);

/* The centipawns of one logit: the K for which results differ least (mean square) from
 * sigmoid(score / K), within 10..4000. 0 when no result counts. */
double data_figures_fit_k(const DataFigures *figures);

/* Share of 0..1 where a clear score and the result have the same sign; below 0.85 something is
 * wrong. 0 without such positions. */
double data_figures_coherence(const DataFigures *figures);

/* All of it in a few lines for people. */
void data_figures_print(const DataFigures *figures, FILE *out);
