/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/blend.h"

#include "engine/eval/classical/classical.h"

#include <stddef.h>

/* For White, in the unit of records. */
static int own_score(const Position *pos)
{
    int value = classical_evaluate(pos, NULL) * PACKED_SCORE_LOGIT / BLEND_LOGIT;
    return pos->side_to_move == WHITE ? value : -value;
}

void blend_scores(PackedPosition *records, uint32_t count, int percent)
{
    Position pos;
    for (uint32_t i = 0; percent > 0 && i < count; i++) {
        if (!packed_position_read(&pos, &records[i], NULL))
            continue;
        int sum = (100 - percent) * records[i].score + percent * own_score(&pos);
        records[i].score = (int16_t)(sum / 100);
    }
}
