/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/timeman.h"

#include "engine/base/minmax.h"

TimeBudget timeman_plan(const Params *params, const TimeControl *control)
{
    const Params *p = params_in_use(params);
    /* A clock beyond this is days away: clamping keeps the sums small. */
    const int64_t clock_max = INT64_C(1) << 40;
    int64_t time = int64_clamp(control->time_ms - control->overhead_ms, 1, clock_max);
    int64_t increment = int64_clamp(control->increment_ms, 0, clock_max);

    int64_t moves = control->moves_to_go > 0
                        ? int64_min(control->moves_to_go, p->time_moves_to_go_max)
                        : p->time_horizon;
    /* What there is to spend until the horizon; each of those moves pays the overhead. */
    int64_t pool = int64_max(time + (increment - control->overhead_ms) * (moves - 1), 1);
    int64_t share = pool / moves;
    if (control->moves_to_go == 0)
        share = int64_min(share, time * p->time_share_max / 100 +
                                     increment * p->time_share_increment / 100);

    int64_t percent = control->moves_to_go == 1 ? p->time_last_move : p->time_hard_of_clock;
    int64_t hard =
        int64_max(int64_min(share * p->time_hard_of_soft / 100, time * percent / 100), 1);
    return (TimeBudget){ .soft_ms = int64_clamp(share, 1, hard), .hard_ms = hard };
}

TimeBudget timeman_with_pondering(const Params *params, const TimeBudget *budget)
{
    int64_t more = budget->soft_ms * params_in_use(params)->time_ponder / 100;
    return (TimeBudget){ .soft_ms = int64_min(budget->soft_ms + more, budget->hard_ms),
                         .hard_ms = budget->hard_ms };
}

TimeBudget timeman_fixed(int64_t movetime_ms, int64_t overhead_ms)
{
    int64_t time = int64_max(movetime_ms - overhead_ms, 1);
    return (TimeBudget){ .soft_ms = time, .hard_ms = time };
}

/* By the share of the search that the best move has lasted: the first iterations take microseconds,
 * so that their number says little. */
static int stability_percent(const Params *p, const SearchTrend *trend)
{
    return p->time_stability_base -
           p->time_stability_age * trend->best_move_age / trend->iterations +
           p->time_stability_change * trend->best_move_changes / 256;
}

static int drop_percent(const Params *p, const SearchTrend *trend)
{
    /* A mate found or lost is a drop like any other; the clamp bounds it. */
    int tenths = p->time_drop * trend->score_drop + p->time_drop_last * trend->last_move_drop;
    return int_clamp(100 + tenths / 10, p->time_drop_min, p->time_drop_max);
}

int64_t timeman_scale(const Params *params, const TimeBudget *budget, const SearchTrend *trend)
{
    const Params *p = params_in_use(params);
    int stability = stability_percent(p, trend);
    int drop = drop_percent(p, trend);
    int nodes = int_max(p->time_nodes_base - trend->best_move_permill / p->time_nodes_divisor,
                        p->time_nodes_min);
    int64_t scaled = budget->soft_ms * stability / 100 * drop / 100 * nodes / 100;
    return int64_clamp(scaled, 1, budget->hard_ms);
}
