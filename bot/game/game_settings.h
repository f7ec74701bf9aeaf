/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_settings.h - the operator's settings for one game. Pure. */
#pragma once
#include "bot/config/settings.h"
#include "bot/game/game.h"
#include "bot/policy/rules.h"

/* All but the lists of players: those are the Config's, which may be replaced while a game is
 * played. */
void game_settings_copy(GameSettings *out, const GameSettings *settings);

/* Fills in what is "auto" or left open until it is known who plays: contempt, the player whose
 * games the explorer counts. */
void game_settings_complete(GameSettings *settings, const GameFacts *facts, const GameFull *full,
                            Colour us, ServerKind server);

/* Where engine.elo is another one since: times and manners that were left to it (auto). A part of
 * the function above. `seed`: the game's. */
void game_settings_follow_level(GameSettings *settings, ServerKind server, uint64_t seed);

/* How long a first move of the opponent's is waited for (games.abort_after): 8 s in a game whose
 * challenge was accepted though its owner could not be seen (`is_unseen`), and for ever in one that
 * is not ours to abort. */
void game_settings_limit_wait(GameSettings *settings, bool may_abort, bool is_unseen);

/* What the state machine goes by. */
GameOptions game_settings_options(const GameSettings *settings, ServerKind server);
