/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/classical/classical.h"

#include "engine/eval/classical/evaluate.h"

int classical_evaluate(const Position *pos, PawnTable *pawns)
{
    Evaluation ev = { .pos = pos };
    return evaluation_sum(&ev, pawns);
}
