/* SPDX-License-Identifier: GPL-3.0-or-later */
/* our_move.h - the part of the state machine that is about a move of ours, from the debt to its
 * confirmation: it is searched, found, sent and settled. Pure. */
#pragma once
#include "bot/game/step.h"

/* INT64_MAX without a clock, and before our colour is known. */
int64_t our_move_time_left_ms(const Game *game, int64_t now_ms);

/* Starts the search that the list of moves asks for, and stops one that it does not. */
void our_move_search(Step *step);

/* Makes a move that was held back for a human's pace, when its time has come. */
void our_move_release(Step *step);

/* A search that lets the clock run down is stopped. If it does not do even that, any legal move is
 * played. */
void our_move_stop_early(Step *step);

/* The opponent does not want to wait any more: no move is held back from now on. */
void our_move_hurry(Step *step);

/* What the search found; of an earlier list of moves it is forgotten. */
void our_move_found(Step *step, const MoveChoice *choice);

/* The list changed: what was on its way for the old one is settled, one way or the other. */
void our_move_settle(Step *step);
