/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_times.h - how long moves take, summed up over games with clocks: ours and our opponents', by
 * the move's number and by speed; and what our moves lose on the way (lag): what the clock lost
 * beyond our search. No move's time is known before the third ply, since Lichess starts the clocks
 * after the first move of each side. Pure. */
#pragma once
#include "bot/archive/record.h"

enum { MOVE_TIMES_MAX = 60 /* numbers of moves, from 0 */ };

typedef enum { MOVE_TIMES_OURS, MOVE_TIMES_THEIRS, MOVE_TIMES_SIDES } MoveTimesSide;

typedef struct {
    int64_t moves, sum_ms, most_ms;
} TimeSum;

typedef struct {
    int64_t games;
    TimeSum by_move[MOVE_TIMES_SIDES][MOVE_TIMES_MAX];
    TimeSum by_speed[MOVE_TIMES_SIDES][SPEED_COUNT];
    TimeSum lag[SPEED_COUNT];
    int64_t games_of[SPEED_COUNT];
} MoveTimes;

/* A game without a clock, or with an unknown colour of ours, adds nothing. */
void move_times_add(MoveTimes *use, const GameRecord *record);

/* In seconds; NAN: there is no such move. */
double move_times_mean_s(const TimeSum *sum);
