/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lost_by_fault.h - games that were lost off the board: what an operator wants to know. Pure. */
#pragma once
#include "bot/game/game_state.h"

/* Why we lost a game that is over, in words, where neither mate nor a resignation of ours ended it;
 * NULL: so it was, or we did not lose. */
const char *lost_by_fault(const Game *game);
