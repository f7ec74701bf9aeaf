/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/evaluation.h"

#include "engine/base/minmax.h"
#include "engine/eval/material_rules.h"

static int value_of(Evaluator *evaluator, const Position *pos)
{
    int value;
    if (!position_is_chess(pos))
        return evaluator->variant.network ? variant_accumulator_evaluate(&evaluator->variant, pos)
                                          : accumulator_evaluate(&evaluator->accumulators, pos);
    if (material_decides(pos, &value))
        return value;
    value = accumulator_evaluate(&evaluator->accumulators, pos);
    Colour ahead = value > 0 ? pos->side_to_move : pos->side_to_move ^ 1;
    return material_cannot_win(pos, ahead) ? 0 : value;
}

void evaluator_reset(Evaluator *evaluator, const Networks *networks, const Position *root)
{
    const Network *own = position_is_chess(root) ? NULL : networks->of[root->ruleset];
    evaluator->accumulators.top = 0;
    variant_accumulator_reset(&evaluator->variant, own);
    if (!own)
        accumulator_reset(&evaluator->accumulators, networks->of[RULES_STANDARD], root);
}

int evaluate_by(Evaluator *evaluator, const Network *network, const Position *pos)
{
    assert(network->info.ruleset == pos->ruleset);
    if (position_is_chess(pos)) {
        accumulator_reset(&evaluator->accumulators, network, pos);
        return accumulator_evaluate(&evaluator->accumulators, pos);
    }
    variant_accumulator_reset(&evaluator->variant, network);
    return variant_accumulator_evaluate(&evaluator->variant, pos);
}

int evaluate(Evaluator *evaluator, const Position *pos)
{
    return int_clamp(value_of(evaluator, pos), -EVAL_LIMIT, EVAL_LIMIT);
}
