/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/vote.h"

static int result_of(const Worker *worker)
{
    return root_move_score(&worker->root[0]);
}

static Move move_of(const Worker *worker)
{
    return worker->root[0].move;
}

static int lowest_result(const Search *search)
{
    int lowest = SCORE_INFINITE;
    for (int i = 0; i < search->worker_count; i++)
        if (worker_has_result(search->workers[i]) && result_of(search->workers[i]) < lowest)
            lowest = result_of(search->workers[i]);
    return lowest;
}

static int64_t weight_of(const Worker *worker, int lowest)
{
    int64_t lead = result_of(worker) - lowest + worker_params(worker)->vote_base;
    return lead * worker->completed_depth;
}

static int64_t votes_for(const Search *search, Move m, int lowest)
{
    int64_t votes = 0;
    for (int i = 0; i < search->worker_count; i++) {
        const Worker *voter = search->workers[i];
        if (worker_has_result(voter) && move_of(voter) == m)
            votes += weight_of(voter, lowest);
    }
    return votes;
}

/* Of two that want the same move: the line without a reply has none to ponder on. */
static bool is_heavier(const Worker *a, const Worker *b, int lowest)
{
    bool a_replies = a->root[0].pv.length > 1, b_replies = b->root[0].pv.length > 1;
    return a_replies != b_replies ? a_replies : weight_of(a, lowest) > weight_of(b, lowest);
}

static bool is_better(const Search *search, const Worker *a, const Worker *b, int lowest)
{
    if (score_is_decided(result_of(b)))
        return result_of(a) > result_of(b);
    if (score_is_decided(result_of(a)))
        return result_of(a) > 0;
    if (move_of(a) == move_of(b))
        return is_heavier(a, b, lowest);
    return votes_for(search, move_of(a), lowest) > votes_for(search, move_of(b), lowest);
}

Worker *vote_best_thread(const Search *search)
{
    Worker *best = search->workers[0];
    if (search->worker_count == 1 || search->multi_pv > 1)
        return best;
    int lowest = lowest_result(search);
    for (int i = 1; i < search->worker_count; i++) {
        Worker *candidate = search->workers[i];
        if (worker_has_result(candidate) &&
            (!worker_has_result(best) || is_better(search, candidate, best, lowest)))
            best = candidate;
    }
    return best;
}
