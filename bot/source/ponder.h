/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ponder.h - what to search on the opponent's time: the position after our move and the expected
 * reply, or without one the position after our move. The results stay in the hash. Pure. */
#pragma once
#include "bot/source/source.h"

typedef struct {
    Position position; /* we are to move, or where no reply is expected, the opponent */
    SearchLimits limits;
} PonderPlan;

/* After `choice` about `request` in `position`, which took `spent_ms`. The clock is an estimate of
 * what will be left then. False where there is nothing to ponder: the game would be over, or
 * nothing limits the search but a stop. */
bool ponder_plan(PonderPlan *out, const MoveRequest *request, const Position *position,
                 const MoveChoice *choice, int64_t spent_ms);

/* The opponent did as expected: `position` is the one that was planned for. */
bool ponder_is_hit(const PonderPlan *plan, const Position *position);
