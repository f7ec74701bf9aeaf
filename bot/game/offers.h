/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offers.h - the part of the state machine that is about ending or undoing a game otherwise than by
 * moves: draws, resignation, takebacks, claims, aborts. Pure, like the rest. */
#pragma once
#include "bot/game/step.h"

/* What the score of the move found, and the tables, say about the game: true if a draw is to be
 * offered, or the opponent's offer accepted, with it. A resignation follows the move, so that none
 * is owed whatever becomes of it. */
bool offers_adjudicate(Step *step, const MoveChoice *choice);

/* A move of ours declines what the opponent has offered or proposed, but the line that confirms the
 * move may still show it. */
typedef enum { OFFERS_STAND, OFFERS_DECLINED_BY_OUR_MOVE } OffersShown;

/* Answers draw offers and takeback proposals. The server reads a "yes" to an offer that has lapsed
 * as an offer of ours. So no "yes" goes out beside a move. While a move is on its way there is
 * none; else the move waits until the "yes" took effect, a few seconds at most. A "yes" is sent
 * once, and one that became an offer of ours is taken back. To decline on our turn takes no
 * request. */
void offers_read(Step *step, const GameState *state, OffersShown shown);

/* A "yes" of ours was answered. */
void offers_yes_answered(Step *step, Reply reply);

/* The opponent has left, or is back. */
void offers_read_gone(Step *step, const OpponentGone *gone);

/* The opponent may be there again: nothing is claimed before the next line of a countdown. */
void offers_void_countdown(Game *game);

/* Claims what there is to claim when it is time, and on the opponent's turn only. */
void offers_claim(Step *step);

/* How long the opponent may take over the first move; aborts when that has passed. */
void offers_arm_abort(Step *step);
void offers_abort_idle(Step *step);

/* When that has something to do; INT64_MAX: never by itself. */
int64_t offers_abort_next_at_ms(const Game *game);
