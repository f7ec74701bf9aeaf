/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manners.h - how a person of some rating ends games that are decided or dull. Pure.
 *
 * Of decisive games below 1400 six in ten do not end in mate, above 1800 five in six; who resigns
 * is six to seven pawns down in the median, and has been beyond five for two to six plies (1,000
 * rated games of 2013 to 2017 on Lichess). So one game in two is resigned below 1400, five in six
 * above 1800, at six pawns for two moves of ours. Below 1400 who can mate at once may. A draw is
 * offered from move 40 on where few men are left and the game is level; one that is offered is
 * taken where the game has been within half a pawn for three moves. */
#pragma once
#include "bot/config/settings.h"

/* For one game: what was left to us (auto) becomes yes or no. `elo`: what castled plays like; 0: as
 * well as it can. `seed` is the game's, so that a restart changes nothing. */
void manners_choose(DrawSettings *draw, ResignSettings *resign, int elo, uint64_t seed);
