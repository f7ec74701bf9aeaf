/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/ponder.h"

#include "engine/core/outcome.h"

static bool is_limited(const SearchLimits *limits)
{
    return limits->has_clock || limits->movetime_ms > 0 || limits->depth > 0 || limits->nodes > 0;
}

bool ponder_plan(PonderPlan *out, const MoveRequest *request, const Position *position,
                 const MoveChoice *choice, int64_t spent_ms)
{
    Undo undo;
    if (choice->move == MOVE_NONE || !is_limited(&request->limits))
        return false;
    out->position = *position;
    out->limits = request->limits;
    position_make(&out->position, choice->move, &undo);
    if (choice->reply != MOVE_NONE)
        position_make(&out->position, choice->reply, &undo);
    if (position_outcome(&out->position) != OUTCOME_NONE)
        return false;
    Colour us = position->side_to_move;
    int64_t *left = &out->limits.time_ms[us];
    *left += request->limits.increment_ms[us] - spent_ms;
    if (*left < 1)
        *left = 1;
    out->limits.ponder = true;
    out->limits.search_move_count = 0; /* they were of this one */
    return true;
}

bool ponder_is_hit(const PonderPlan *plan, const Position *position)
{
    return plan->position.key == position->key && plan->position.ply == position->ply &&
           plan->position.halfmove_clock == position->halfmove_clock;
}
