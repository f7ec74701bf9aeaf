/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation.h - the static evaluation: what a position is worth without looking ahead.
 *
 * Where the material alone decides, material_rules.h has the value, otherwise the network; variants
 * without a network of their own have hand-written terms. Integers only, the same on every
 * machine.
 *
 * An Evaluator follows one line of moves from a root. It belongs to its thread and allocates
 * nothing. Zeroed memory, aligned to 64 bytes, is one that evaluator_reset() must make ready. It is
 * large, but only what is used takes memory where the system gives zeroed pages. */
#pragma once
#include "engine/eval/accumulator.h"
#include "engine/eval/variant_accumulator.h"

/* |evaluation| never exceeds this, whatever stands on the board: beyond are mate and tablebase
 * scores. */
enum { EVAL_LIMIT = 20000 };

typedef struct {
    AccumulatorStack accumulators;
    VariantAccumulator variant; /* for roots of its network's rules */
} Evaluator;

/* `root` is where lines begin; positions pushed before are forgotten. The networks are lent. */
void evaluator_reset(Evaluator *evaluator, const Networks *networks, const Position *root);

/* A move with this change is made, and taken back. Null moves are left out. */
static inline void evaluator_push(Evaluator *evaluator, const Change *change)
{
    accumulator_push(&evaluator->accumulators, change);
}

/* The same for a move that a Change cannot describe. */
static inline void evaluator_push_unknown(Evaluator *evaluator)
{
    accumulator_push_unknown(&evaluator->accumulators);
}

static inline void evaluator_pop(Evaluator *evaluator)
{
    accumulator_pop(&evaluator->accumulators);
}

/* What the network alone makes of a position of its rules, worked out anew; not limited. Positions
 * pushed before are forgotten. For training and tests. */
int evaluate_by(Evaluator *evaluator, const Network *network, const Position *pos);

/* Centipawns for the side to move in `pos`, the position that the pushed moves led to; in check the
 * value means little. */
int evaluate(Evaluator *evaluator, const Position *pos);
