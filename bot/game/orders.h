/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orders.h - the part of the state machine that obeys the operator: abort, resign, draw. Pure. */
#pragma once
#include "bot/game/step.h"

/* Can this be asked of the game now? False and an Error that says why not. */
bool orders_may(const Game *game, GameOrder order, Error *err) MUST_CHECK;

/* Obeys: an abort or a resignation goes out at once, even if a reply of the opponent's comes in
 * between. A draw goes with our next move. */
void orders_take(Step *step, GameOrder order);

/* Drops a command of this kind that was the game's own decision. */
void orders_drop_own(Step *step, CommandKind kind);

/* The command that an order became; false: none, as of ORDER_DRAW. */
bool orders_command(GameOrder order, CommandKind *out);

/* "abort", "resign", "draw". */
const char *orders_name(GameOrder order);
