/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_pace.h - a game's next move as pace.h wants to know it. Pure. */
#pragma once
#include "bot/game/game_state.h"

/* How long a human would think about the move that was found, when the clock showed what it does at
 * `now_ms`. NULL: it is not known yet; if there is a recapture, it is taken to be that. 0: no time,
 * or no clock. */
int64_t human_pace_ms(const Game *game, const MoveChoice *choice, int64_t now_ms);
