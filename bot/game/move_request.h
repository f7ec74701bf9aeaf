/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_request.h - what a game asks of its sources when it is our turn, by its settings. Pure. */
#pragma once
#include "bot/config/settings.h"
#include "bot/game/game_state.h"
#include "bot/source/source.h"
#include "engine/core/fen.h"

/* The settings are the game's: what the ratings decide is decided. `version` comes back with the
 * MoveChoice; `now_ms` is clock_now_ms()'s. The request points into the game, the settings and
 * `fen`. */
MoveRequest game_move_request(const Game *game, const GameSettings *settings, uint32_t version,
                              int64_t now_ms, char fen[FEN_SIZE]);

/* Adds the game's clock to the operator's limits for a search that starts at `now_ms`, less what is
 * kept back for lag. */
void game_search_limits(const Game *game, int64_t now_ms, SearchLimits *limits);
