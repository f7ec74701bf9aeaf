/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/vote.h"

static int result_of(const Worker *worker)
{
    return root_move_score(&worker->root[0]);
}

Worker *vote_best_thread(const Search *search)
{
    Worker *best_thread = search->workers[0];
    int base = worker_params(best_thread)->vote_base;
    if (search->worker_count == 1 || search->multi_pv > 1)
        return best_thread;
    int lowest = SCORE_INFINITE;
    for (int i = 0; i < search->worker_count; i++)
        if (worker_has_result(search->workers[i]) && result_of(search->workers[i]) < lowest)
            lowest = result_of(search->workers[i]);
    int64_t most = -1;
    for (int i = 0; i < search->worker_count; i++) {
        Worker *candidate = search->workers[i];
        if (!worker_has_result(candidate))
            continue;
        int64_t votes = 0;
        for (int j = 0; j < search->worker_count; j++) {
            const Worker *voter = search->workers[j];
            if (worker_has_result(voter) && voter->root[0].move == candidate->root[0].move)
                votes += (int64_t)(result_of(voter) - lowest + base) * voter->completed_depth;
        }
        if (result_of(candidate) >= SCORE_MATE_BOUND)
            votes = INT64_MAX / 2 + result_of(candidate);
        if (votes > most) {
            most = votes;
            best_thread = candidate;
        }
    }
    return best_thread;
}
