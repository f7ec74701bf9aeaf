/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_evaluation.h - what a position is worth where the rules are not those of chess.
 *
 * Hand-written terms with one table of weights for each variant: variant_weights.c. Where a variant
 * is chess with one more way to win, the network judges the chess, and terms are added for the
 * rest. Integers only. */
#pragma once
#include "engine/eval/accumulator.h"

/* Does the evaluation of these rules read the accumulators? Otherwise they need not be kept. */
bool variant_evaluation_has_network(Ruleset ruleset);

/* Centipawns for the side to move, not limited: the caller does that. `pos` is no standard chess;
 * `accumulators` are up to date where the evaluation has the network. */
int variant_evaluate(AccumulatorStack *accumulators, const Position *pos);
