/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/eval.h"

#include "engine/eval/evaluate.h"

int eval_position(const Position *pos, PawnTable *pawns)
{
    Evaluation ev = { .pos = pos };
    int value = evaluate(&ev, pawns);
    return value > EVAL_LIMIT ? EVAL_LIMIT : value < -EVAL_LIMIT ? -EVAL_LIMIT : value;
}
