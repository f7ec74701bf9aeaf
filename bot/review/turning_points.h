/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turning_points.h - where a finished game turned, in short lines for its chat, by what our own
 * searches thought while it ran: no core is needed for it. What changed between two of our moves is
 * laid to the move that it speaks against. Pure. */
#pragma once
#include "bot/model/record.h"

enum {
    TURNING_POINTS_MAX = 3,
    TURNING_POINT_SIZE = 120, /* Lichess takes 140 characters */
};

/* Those that changed most, in the order of the game; or one line that says why there are none.
 * Returns how many lines, from 1 on. */
int turning_points_write(const GameRecord *record,
                         char out[TURNING_POINTS_MAX][TURNING_POINT_SIZE]);
