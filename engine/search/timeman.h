/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeman.h - how long to search. Pure functions of the clock: no state, no system time. `params`
 * are read through params_in_use(). */
#pragma once
#include "engine/search/params.h"

#include <stdint.h>

typedef struct {
    int64_t time_ms;      /* on our clock; late news may make it zero or less */
    int64_t increment_ms; /* after each of our moves */
    int moves_to_go;      /* until more time is added; 0: the clock is for the whole game */
    int64_t overhead_ms;  /* lost on every move between the server's clock and ours */
} TimeControl;

typedef struct {
    int64_t soft_ms; /* no new iteration after this, once scaled by timeman_scale() */
    int64_t hard_ms; /* stop wherever the search is */
} TimeBudget;

/* Never below 1 ms each, soft <= hard, and hard + overhead within the clock where there is room. */
TimeBudget timeman_plan(const Params *params, const TimeControl *control);

/* The same for an engine that ponders: some of its thinking will be in the opponent's time. */
TimeBudget timeman_with_pondering(const Params *params, const TimeBudget *budget);

/* For a fixed time a move: all of it, less the overhead. */
TimeBudget timeman_fixed(int64_t movetime_ms, int64_t overhead_ms);

/* What an iteration ended with. */
typedef struct {
    int iterations;        /* so far, at least 1 */
    int best_move_age;     /* of them, the last that ended with the same best move */
    int best_move_changes; /* in 1/256; those of an iteration count half as much in the next */
    int score_drop;        /* centipawns lost against earlier iterations; negative: gained */
    int last_move_drop;    /* and against our last move's search; 0 where that is not known */
    int best_move_permill; /* share of the root's nodes spent on the best move */
} SearchTrend;

/* The soft limit in the light of the trend: a choice that has been steady for much of the search
 * needs less time, a falling score and a contested best move more. */
int64_t timeman_scale(const Params *params, const TimeBudget *budget, const SearchTrend *trend);
