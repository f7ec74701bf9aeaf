/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/node.h"

/* The TT's static evaluation, or a new one. A new one goes into the TT at once, since many nodes
 * are pruned before they have a result to store. */
static int raw_eval(Worker *worker, const SearchStack *ss, const TtEntry *tt)
{
    if (tt->eval != SCORE_NONE)
        return tt->eval;
    int eval = worker_evaluate(worker);
    if (tt->depth == TT_DEPTH_NONE) {
        const TtEntry entry = {
            .score = SCORE_NONE, .eval = eval, .depth = TT_DEPTH_NONE, .bound = BOUND_UPPER
        };
        worker_store(worker, ss, &entry);
    }
    return eval;
}

void node_evaluate(Worker *worker, SearchStack *ss, Node *node)
{
    if (ss->in_check) {
        ss->static_eval = node->raw_eval = node->eval = SCORE_NONE;
        return;
    }
    node->raw_eval = raw_eval(worker, ss, &node->tt);
    ss->static_eval = worker_correct_eval(worker, ss, node->raw_eval);
    bool use_tt_score =
        tt_refines_eval(&node->tt, ss->static_eval) && !score_is_decided(node->tt.score);
    node->eval = use_tt_score ? node->tt.score : ss->static_eval;
}

void node_store(Worker *worker, const SearchStack *ss, const Node *node, ScoreBound bound)
{
    const TtEntry entry = {
        .move = node->best_move,
        .score = node->best_score,
        .eval = node->raw_eval,
        .depth = node->depth,
        .bound = bound,
        .tt_pv = node->tt_pv,
    };
    worker_store(worker, ss, &entry);
}
