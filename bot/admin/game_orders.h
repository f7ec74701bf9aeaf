/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_orders.h - what an operator asks of one running game over the control socket: end it, offer
 * a draw, say something. Each answers its call exactly once, now or later. The game is given as to
 * game_set_choose(). Loop thread only. */
#pragma once
#include "bot/game/game_set.h"
#include "bot/ops/control.h"

/* Lichess takes no longer lines in a game's chat. */
enum { CHAT_LINE_CHARS = 140 };

/* Answered when the game is over, with { id, opponent, status, result }; a draw at once, with
 * { id, opponent }. */
void game_orders_give(GameSet *games, GameOrder order, ControlCall *call, Text game);

/* `words`: the game, then the line for the opponent's room of its chat. Answered with
 * {} when the server has it. */
void game_orders_say(const GameSet *games, const BotContext *context, ControlCall *call,
                     Text words);
