/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_use.h - where the clocks went in kept games: what a move cost its mover, and what of ours
 * was lost on its way (lag); and both summed up over games. The archive's lists (move_lists.h) and
 * records of whole games give the same sums. All times are in ms, and -1 where they are not known.
 * Pure; any thread. */
#pragma once
#include "bot/model/record.h"

/* The time that a move took from its mover's clock, and the part of it that was not our search. The
 * time is unknown for each side's first move (Lichess runs no clock) and for moves after which time
 * was added. Lag is known of our moves alone, and only where the search took no longer than the
 * clock lost: a longer one began on the opponent's time. */
typedef struct {
    int64_t spent_ms, lag_ms;
} MoveTime;

MoveTime move_time_of(const GameRecord *record, size_t index);

/* The mover's clock before a move. */
int64_t move_clock_before_ms(const GameRecord *record, size_t index);

/* ---- sums ---- */

typedef enum { TIME_USE_OURS, TIME_USE_THEIRS, TIME_USE_SIDES } TimeUseSide;

typedef struct {
    int64_t moves, sum_ms, most_ms;
} TimeSum;

typedef struct {
    int64_t games; /* with a clock and moves of ours that cost it something */
    double share;  /* of all the time that we had in a game: 0..1, summed up over them */
    TimeSum spent[TIME_USE_SIDES];
    TimeSum lag;
} TimeUse;

enum { TIME_USE_MOVES_MAX = 60 };

/* By the number of the move, from 0 on. */
typedef struct {
    TimeSum spent[TIME_USE_SIDES][TIME_USE_MOVES_MAX];
} TimeByMove;

/* `by_move`: NULL is fine. A game without a clock, or with an unknown colour of ours, adds nothing.
 */
void time_use_add(TimeUse *use, TimeByMove *by_move, const GameRecord *record);

/* How a game's clock was set, and whether the game's first move was ours. */
typedef struct {
    int64_t initial_ms, increment_ms;
    bool we_began;
} TimeUseClock;

/* The same by the lists of clocks and search times; words that are no times are unknown ones. */
void time_use_add_lists(TimeUse *use, const TimeUseClock *clock, Text clocks_ms, Text times_ms);

/* In seconds; NAN: there is no such move. */
double time_sum_mean_s(const TimeSum *sum);
