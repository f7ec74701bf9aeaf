/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_choice.h"

#include "engine/core/uci_move.h"

static_assert((int)UCI_PV_MAX + 1 == (int)MOVE_CHOICE_PV, "a line that was heard fits");

MoveChoice external_choice_of(const UciResult *result)
{
    return (MoveChoice){ .score = result->score,
                         .depth = result->depth,
                         .nodes = result->nodes,
                         .time_ms = result->time_ms };
}

bool external_choice_read(const Position *pos, const UciResult *result, MoveChoice *out)
{
    if (!uci_move_match(pos, result->move, strlen(result->move), &out->move, NULL))
        return false;
    Position after = *pos;
    Undo undo;
    position_make(&after, out->move, &undo);
    if (!uci_move_match(&after, result->reply, strlen(result->reply), &out->reply, NULL))
        out->reply = MOVE_NONE;
    out->pv[0] = out->move;
    out->pv_length = 1;
    for (int i = 0; i < result->pv_length; i++) {
        Move *next = &out->pv[out->pv_length];
        if (!uci_move_match(&after, result->pv[i], strlen(result->pv[i]), next, NULL))
            break;
        position_make(&after, *next, &undo);
        out->pv_length++;
    }
    return true;
}
