/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offers.h - the part of the state machine that is about ending or undoing a game otherwise than by
 * moves: draws, resignation, takebacks, claims, aborts. Pure, like the rest. */
#pragma once
#include "bot/game/step.h"

/* What the score of the move found, and the tables, say about the game: true if a draw is to be
 * offered, or the opponent's offer accepted, with it. A resignation follows the move, so that none
 * is owed whatever becomes of it. */
bool offers_adjudicate(Step *step, const MoveChoice *choice);

void offers_answer_takeback(Step *step, bool is_proposed);

/* Our next move declines an offer by itself, and the echo of that move may still show it: an offer
 * that comes with a move of ours (`is_echo`) is not answered, since a late "yes" would be an offer
 * of our own. Nor does it take a request to decline while we are to move. */
void offers_answer_draw(Step *step, bool is_offered, bool is_echo);

/* The opponent has left, or is back. */
void offers_read_gone(Step *step, const OpponentGone *gone);

/* Claims what there is to claim when it is time, and on the opponent's turn only. A refusal may
 * mean that it was too early by a second. */
void offers_claim(Step *step);

/* How long the opponent may take over the first move; aborts when that has passed. */
void offers_arm_abort(Step *step);
void offers_abort_idle(Step *step);
