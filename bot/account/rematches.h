/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rematches.h - how many rematches in a row a game is, by facts (FACT_REMATCH) that outlive the
 * process for a day. An offer has the id of the game that it would become. Pure. */
#pragma once
#include "bot/archive/facts.h"
#include "bot/lichess/event.h"

/* In a row, up to the game `rematch_of` of which one is offered; 0: it is none (""), or its first.
 */
int rematches_before(const Facts *facts, Text rematch_of, int64_t unix_ms);

/* Is this game a rematch? */
bool rematches_has(const Facts *facts, const char *game_id, int64_t unix_ms);
