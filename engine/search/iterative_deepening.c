/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/iterative_deepening.h"

#include "engine/search/search.h"

#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* What time management needs from one iteration to the next; the main thread's. */
typedef struct {
    Move best_move;
    int best_move_age;
    int best_move_changes; /* in 1/256, halved with each iteration */
    int average_score;     /* of the iterations before, newer ones count more */
} Trend;

/* Fail-high and fail-low lines are reported only in searches longer than this. */
enum { REPORT_BOUNDS_AFTER_MS = 3000 };

static bool ranks_before(const RootMove *a, const RootMove *b)
{
    return a->score != b->score ? a->score > b->score : a->last_score > b->last_score;
}

/* Stable, so that moves without a score keep the order of the iteration before. */
static void sort_root_moves(Worker *worker, int first)
{
    for (int i = first + 1; i < worker->root_count; i++)
        for (int j = i; j > first && ranks_before(&worker->root[j], &worker->root[j - 1]); j--) {
            RootMove other = worker->root[j];
            worker->root[j] = worker->root[j - 1];
            worker->root[j - 1] = other;
        }
}

/* A tablebase score replaces every score but a mate. Before any search it is the static evaluation.
 */
static int reported_score(const Worker *worker, const RootMove *root)
{
    const Search *search = worker->search;
    int score = root_move_score(root);
    if (score == -SCORE_INFINITE)
        score = worker->root_eval;
    return search->root_tablebase_score != SCORE_NONE && !score_is_mate(score)
               ? search->root_tablebase_score
               : score;
}

void iterative_deepening_info(const Worker *worker, int line, SearchInfo *info)
{
    const Search *search = worker->search;
    const RootMove *root = &worker->root[line];
    bool searched = root->score != -SCORE_INFINITE;
    info->depth = searched ? worker->root_depth : worker->completed_depth;
    info->seldepth = root->seldepth;
    info->line = line + 1;
    info->score = reported_score(worker, root);
    info->bound = searched ? root->bound : BOUND_EXACT;
    info->nodes = search_nodes(search);
    int64_t time_us = clock_now_us() - search->start_us;
    info->time_ms = time_us / 1000;
    info->nps = info->nodes * 1000000 / (uint64_t)int64_max(time_us, 1);
    info->hashfull = tt_hashfull(search->tt);
    info->tablebase_hits = search_tablebase_hits(search);
    info->pv_length = root->pv.length;
    memcpy(info->pv, root->pv.moves, (size_t)root->pv.length * sizeof(Move));
}

static void report(const Worker *worker, int line)
{
    const SearchCallbacks *callbacks = &worker->search->callbacks;
    if (worker->index != 0 || !callbacks->on_info)
        return;
    SearchInfo info;
    iterative_deepening_info(worker, line, &info);
    callbacks->on_info(callbacks->user, &info);
}

/* Searches one line to the worker's root depth, in a window around its previous score that widens
 * each time the search fails high or low. */
static void aspiration_search(Worker *worker)
{
    const Params *p = worker_params(worker);
    RootMove *first = &worker->root[worker->pv_index];
    int expected = first->last_score;
    int delta = p->aspiration_window;
    int alpha = -SCORE_INFINITE;
    int beta = SCORE_INFINITE;
    if (worker->root_depth >= p->aspiration_depth && !score_is_decided(expected)) {
        alpha = expected - delta;
        beta = expected + delta;
    }
    int failed_high_count = 0; /* consecutive; each takes a ply off the depth */
    for (;;) {
        int depth = int_max(worker->root_depth - failed_high_count, 1);
        worker->root_window = beta - alpha;
        int score = search_node(worker, worker_root_ss(worker), alpha, beta, depth, NODE_ROOT);
        sort_root_moves(worker, worker->pv_index);
        if (search_stopped(worker->search) || (score > alpha && score < beta))
            return;
        if (search_clock_ms(worker->search) > REPORT_BOUNDS_AFTER_MS &&
            worker->search->multi_pv == 1)
            report(worker, worker->pv_index);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - delta;
            failed_high_count = 0;
        } else {
            beta = score + delta;
            failed_high_count += failed_high_count < p->aspiration_high_max;
        }
        delta += delta * p->aspiration_growth / 100;
        if (alpha < -p->aspiration_limit)
            alpha = -SCORE_INFINITE;
        if (beta > p->aspiration_limit)
            beta = SCORE_INFINITE;
    }
}

/* After a complete iteration. Moves that are no line are worse than the last one, by an unknown
 * difference: they count as much. */
static void average_scores(Worker *worker, int lines)
{
    for (int i = 0; i < worker->root_count; i++) {
        RootMove *root = &worker->root[i];
        int score = worker->root[int_min(i, lines - 1)].score;
        root->average_score =
            root->average_score == -SCORE_INFINITE ? score : (root->average_score + score) / 2;
    }
}

/* All lines at the worker's root depth. */
static void iterate(Worker *worker)
{
    Move best_before = worker->root[0].move;
    worker->best_move_changes = 0;
    for (int i = 0; i < worker->root_count; i++) {
        worker->root[i].last_score = worker->root[i].score;
        worker->root[i].score = -SCORE_INFINITE;
    }
    int lines = int_min(worker->search->multi_pv, worker->root_count);
    for (int i = 0; i < lines && !search_stopped(worker->search); i++) {
        worker->pv_index = i;
        worker->seldepth = 0;
        aspiration_search(worker);
        sort_root_moves(worker, 0);
    }
    if (search_stopped(worker->search)) {
        if (worker->root[0].move != best_before)
            report(worker, 0); /* the stopped iteration found a better move */
        return;
    }
    worker->completed_depth = worker->root_depth;
    average_scores(worker, lines);
    for (int i = 0; worker->root_depth == 1 && i < worker->root_count; i++)
        worker->root[i].glance_score = worker->root[i].score;
    const SearchLimits *limits = &worker->search->limits;
    int reported = limits->elo || limits->human ? 0 : lines; /* else only the one that is chosen */
    for (int i = 0; i < reported; i++)
        report(worker, i);
}

static void update_trend(const Worker *worker, Trend *trend)
{
    const RootMove *best = &worker->root[0];
    trend->best_move_age = best->move == trend->best_move ? trend->best_move_age + 1 : 1;
    trend->best_move = best->move;
    trend->best_move_changes = trend->best_move_changes / 2 + 256 * worker->best_move_changes;
    int weight = worker->completed_depth == 1 ? 0 : worker_params(worker)->score_average_weight;
    trend->average_score = (weight * trend->average_score + best->score) / (weight + 1);
}

static int64_t soft_limit_ms(const Worker *worker, const Trend *trend)
{
    const Params *p = worker_params(worker);
    const Search *search = worker->search;
    uint64_t nodes = worker_nodes(worker);
    const SearchTrend seen = {
        .iterations = worker->completed_depth,
        .best_move_age = trend->best_move_age,
        .best_move_changes = trend->best_move_changes,
        .score_drop = trend->average_score - worker->root[0].score,
        .last_move_drop = search->last_move_score == SCORE_NONE
                              ? 0
                              : search->last_move_score - worker->root[0].score,
        .best_move_permill = nodes ? (int)(worker->root[0].nodes * 1000 / nodes) : 1000,
    };
    if (search->limits.movetime_ms)
        return search->budget.hard_ms;
    int64_t scaled = timeman_scale(p, &search->budget, &seen);
    /* A single move: a short search finds a ponder move. */
    int64_t single = (search->budget.soft_ms * p->time_single_move + 99) / 100;
    return worker->root_count == 1 ? int64_min(scaled, single) : scaled;
}

/* The limit is stored before `pondering` is read, and engine_ponderhit() does it the other way
 * round: one of the two sees that the time is over. */
static bool soft_time_is_over(const Worker *worker, const Trend *trend)
{
    Search *search = worker->search;
    if (!search->timed)
        return false;
    atomic_store(&search->soft_ms, soft_limit_ms(worker, trend));
    return !atomic_load(&search->pondering) && search_clock_ms(search) >= search->soft_ms;
}

static bool mate_is_found(const Worker *worker)
{
    const RootMove *best = &worker->root[0];
    int moves = worker->search->limits.mate;
    return moves && best->bound == BOUND_EXACT && best->score >= SCORE_MATE - 2 * moves;
}

static bool limit_is_reached(const Worker *worker, const Trend *trend)
{
    const SearchLimits *limits = &worker->search->limits;
    return (limits->depth && worker->root_depth >= limits->depth) || mate_is_found(worker) ||
           soft_time_is_over(worker, trend);
}

void iterative_deepening_run(Worker *worker)
{
    Trend trend = { 0 };
    if (worker->root_count == 0)
        return;
    for (int depth = 1; depth < MAX_PLY && !search_stopped(worker->search); depth++) {
        worker->root_depth = depth;
        iterate(worker);
        if (search_stopped(worker->search) || worker->index != 0)
            continue;
        update_trend(worker, &trend);
        if (limit_is_reached(worker, &trend))
            return;
    }
}
