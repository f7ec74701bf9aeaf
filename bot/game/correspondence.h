/* SPDX-License-Identifier: GPL-3.0-or-later */
/* correspondence.h - how a game without a clock spends the days between its moves: part of game.c's
 * state machine, see GameCorrespondence. */
#pragma once
#include "bot/game/step.h"

void correspondence_init(GameCorrespondence *correspondence);

/* The account's list, or the event stream, says whose turn it is. A game that was never read stays
 * asleep until it is ours; an open stream counts more. */
void correspondence_read_turn(Step *step, bool is_ours, int64_t left_ms);

/* It may search for its move, as soon as its stream shows that there is one to be made. */
void correspondence_grant_turn(Step *step);

/* Is the deadline far enough for games with a clock to come first? */
bool correspondence_can_wait(const Game *game, int64_t now_ms);

/* A game with a clock is about to search: the game plays what it has found. One that has hardly
 * begun waits for another turn, where it can. */
void correspondence_make_way(Step *step);

/* The stream is wanted. */
void correspondence_wake(Step *step);

/* To be asked after everything else was done: true if it sleeps from now on, and its stream is to
 * be closed. */
bool correspondence_sleep(Step *step);
