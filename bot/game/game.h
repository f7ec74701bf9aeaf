/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game.h - one game on Lichess as a state machine that does nothing by itself.
 *
 * game_step() takes one input: a line of the game's stream, the end of that stream, the answer to a
 * request, a search's result, or the time. It writes down what is to be done. It is pure: no I/O,
 * no clock, no allocation, so that every order of events can be tested exactly. session.h carries
 * the effects out.
 *
 * The heart is a check after every step: is it our turn, and is a move for exactly this move list
 * on its way? The debt is derived from the state, never from a message. So no lost, doubled or late
 * message can leave it unpaid or pay it twice. A stream's end is never the game's end; only a final
 * status is. A refusal never leads to more than a fresh look at the game.
 *
 * Moves are written "king takes rook" when we castle, which the server takes in every variant. */
#pragma once
#include "bot/game/game_state.h"

/* What a game has from its account. */
typedef struct {
    const char *our_id;
    const Ratelimit *limit; /* written by others, must outlive the game */
    LagMeter lag;           /* as it was in other games */
} GameAccount;

/* A game of which only the id is known. `seed` for the stream's jitter. INPUT_TIME sets it going.
 */
void game_init(Game *game, const char *id, const GameAccount *account, const GameOptions *options,
               uint64_t seed, int64_t now_ms);

/* What an earlier process kept of the game; it counts as far as the moves confirm it. */
void game_recall(Game *game, const EvalHistory *eval_history);

/* Other options: from the next step on. */
void game_configure(Game *game, const GameOptions *options);

/* Takes one input, empties *todo and fills it. */
void game_step(Game *game, const GameInput *input, int64_t now_ms, Effects *todo);

/* When INPUT_TIME is due next; INT64_MAX: never by itself. */
int64_t game_next_at_ms(const Game *game);

const char *game_phase_name(GamePhase phase);
