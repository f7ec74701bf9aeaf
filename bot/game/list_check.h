/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_check.h - the part of the state machine that holds the game's stream against the account's
 * list of running games. The server reads a game before it subscribes the stream to it, and drops
 * lines that it cannot make: a move in between is never shown, and nothing repeats it. So after
 * some silence on the opponent's turn, and before an abort, the list is asked whose turn it is.
 * Where it is ours the stream is opened again. A game whose stream stays shut, or that we cannot
 * play, ends for us when the list lacks it for minutes. A game without a clock is looked at by
 * correspondence.h. Pure, like the rest. */
#pragma once
#include "bot/game/step.h"

void list_check_init(GameListCheck *check, int64_t now_ms);

/* The stream has shown another list of moves, or was opened anew. */
void list_check_news(Step *step);

/* The list, asked for at `asked_ms`, has the game. */
void list_check_listed(Step *step, bool is_our_turn, int64_t asked_ms);

/* It lacks the game. True: no more is to be heard of it. */
bool list_check_unlisted(Step *step, int64_t asked_ms) MUST_CHECK;

/* True if a list that was asked for since then has the opponent to move. Else asks for one, and
 * gives up after half a minute: true as well. */
bool list_check_confirms_their_turn(Step *step, int64_t since_ms) MUST_CHECK;

/* When that is to be called again. */
int64_t list_check_again_at_ms(const Game *game, int64_t since_ms);

/* What is due by now; when something is next. */
void list_check_step(Step *step);
int64_t list_check_next_at_ms(const Game *game);
