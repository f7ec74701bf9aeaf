/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hill_evaluation.h - what a position of king of the hill is worth, the one variant without a
 * network of its own: chess's network judges the chess, and hand-written terms say how near the
 * kings are to the hill. Integers only. */
#pragma once
#include "engine/eval/accumulator.h"

/* Centipawns for the side to move, not limited: the caller does that. `accumulators` are up to
 * date. */
int hill_evaluate(AccumulatorStack *accumulators, const Position *pos);
