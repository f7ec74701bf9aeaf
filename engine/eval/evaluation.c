/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/evaluation.h"

#include "engine/base/minmax.h"
#include "engine/eval/classical/classical.h"
#include "engine/eval/material_rules.h"

static int evaluate_by_network(Evaluator *evaluator, const Position *pos)
{
    int value;
    if (material_decides(pos, &value))
        return value;
    value = accumulator_evaluate(&evaluator->accumulators, pos);
    Colour ahead = value > 0 ? pos->side_to_move : pos->side_to_move ^ 1;
    return material_cannot_win(pos, ahead) ? 0 : value;
}

void evaluator_reset(Evaluator *evaluator, const Network *network, const Position *root)
{
    evaluator->network = network;
    if (network)
        accumulator_reset(&evaluator->accumulators, network, root);
    else
        evaluator->accumulators.top = 0;
}

int evaluate(Evaluator *evaluator, const Position *pos)
{
    int value = evaluator->network ? evaluate_by_network(evaluator, pos)
                                   : classical_evaluate(pos, &evaluator->pawns);
    return int_clamp(value, -EVAL_LIMIT, EVAL_LIMIT);
}
