/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/timeman.h"

#include "engine/base/minmax.h"

TimeBudget timeman_plan(const TimeControl *control)
{
    enum {
        HORIZON = 22,           /* moves that a game is assumed to last from anywhere */
        MOVES_TO_GO_MAX = 50,   /* a larger number counts as this */
        HARD_OF_SOFT = 5,       /* the hard limit in soft limits … */
        HARD_PERCENT = 70,      /* … and in per cent of the clock, */
        LAST_MOVE_PERCENT = 90, /* but for the last move of a time control */
    };
    /* A clock beyond this is days away: clamping keeps the sums small. */
    const int64_t clock_max = INT64_C(1) << 40;
    int64_t time = int64_min(int64_max(control->time_ms - control->overhead_ms, 1), clock_max);
    int64_t increment = int64_min(int64_max(control->increment_ms, 0), clock_max);

    int64_t moves =
        control->moves_to_go > 0 ? int64_min(control->moves_to_go, MOVES_TO_GO_MAX) : HORIZON;
    /* What there is to spend until the horizon; each of those moves pays the overhead. */
    int64_t pool = int64_max(time + (increment - control->overhead_ms) * (moves - 1), 1);
    int64_t share = pool / moves;
    if (control->moves_to_go == 0)
        share = int64_min(share, time / 5 + increment);

    int64_t percent = control->moves_to_go == 1 ? LAST_MOVE_PERCENT : HARD_PERCENT;
    int64_t hard = int64_max(int64_min(share * HARD_OF_SOFT, time * percent / 100), 1);
    int64_t soft = int64_max(int64_min(share, hard), 1);
    return (TimeBudget){ .soft_ms = soft, .hard_ms = hard };
}

TimeBudget timeman_fixed(int64_t movetime_ms, int64_t overhead_ms)
{
    int64_t time = int64_max(movetime_ms - overhead_ms, 1);
    return (TimeBudget){ .soft_ms = time, .hard_ms = time };
}

int64_t timeman_scale(const TimeBudget *budget, const SearchTrend *trend)
{
    /* Per cent of the soft limit, by the age of the best move. */
    static const int by_age[] = { 145, 120, 105, 95, 90, 85, 80 };
    enum { AGES = sizeof by_age / sizeof *by_age };
    int stability = by_age[int64_min(trend->best_move_age, AGES - 1)];

    int trouble = (int)int64_min(int64_max(100 + trend->score_drop, 80), 150);

    /* All nodes on one move: half the time; spread over many: up to half as much again. */
    int contest = (int)int64_max(160 - trend->best_move_permill / 9, 50);

    int64_t scaled = budget->soft_ms * stability / 100 * trouble / 100 * contest / 100;
    return int64_max(int64_min(scaled, budget->hard_ms), 1);
}
