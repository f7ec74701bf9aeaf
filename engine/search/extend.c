/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/extend.h"

#include "engine/search/see.h"

/* Is the TT move the only good one? Searches all others less deep against singular_beta, a margin
 * below the TT score. When that fails low, the move is extended. When it even reaches beta, that is
 * a multi-cut: true and *score. */
static bool singular_extension(Worker *worker, SearchStack *ss, const Node *node, int *extension,
                               int *score)
{
    const Params *p = worker_params(worker);
    int singular_beta = node->tt.score - p->singular_margin * node->depth / 16;
    Move m = node->tt.move;
    ss->excluded = m;
    *score = search_node(worker, ss, singular_beta - 1, singular_beta,
                         (node->depth - 1) / p->singular_divisor,
                         node->kind == NODE_CUT ? NODE_CUT : NODE_ALL);
    ss->excluded = MOVE_NONE;
    if (search_stopped(worker->search))
        return false;
    if (*score < singular_beta) {
        bool is_double = !node->is_pv && *score < singular_beta - p->double_margin &&
                         ss->double_extensions < p->double_max;
        *extension = 1 + is_double;
        return false;
    }
    if (p->multi_cut && *score >= node->beta && !score_is_decided(*score))
        return true;
    if (node->tt.score >= node->beta)
        *extension = (-2 + node->is_pv) * p->negative_extension;
    else if (node->kind == NODE_CUT)
        *extension = -p->negative_extension;
    return false;
}

static bool is_singular_candidate(const Worker *worker, const SearchStack *ss, const Node *node,
                                  Move m)
{
    const Params *p = worker_params(worker);
    return node->kind != NODE_ROOT && m == node->tt.move && ss->excluded == MOVE_NONE &&
           node->depth >= p->singular_depth &&
           node->tt.depth >= node->depth - p->singular_tt_depth && node->tt.bound != BOUND_UPPER &&
           node->tt.score != SCORE_NONE && !score_is_decided(node->tt.score) &&
           ss->ply < 2 * worker->root_depth;
}

/* Check extension: a check that loses no material forces the reply. Only on the principal
 * variation: elsewhere it cost strength. */
static bool check_extension_applies(const Worker *worker, const SearchStack *ss, const Node *node,
                                    Move m)
{
    return node->depth <= worker_params(worker)->check_extension_depth &&
           (node->is_pv || (worker->rules->check_wins_all && worker_params(worker)->rule_checks)) &&
           ss->ply < 2 * worker->root_depth && position_gives_check(&worker->pos, m) &&
           see_at_least(&worker->pos, m, 0);
}

bool extend_move(Worker *worker, SearchStack *ss, const Node *node, Move m, int *extension,
                 int *score)
{
    *extension = 0;
    if (is_singular_candidate(worker, ss, node, m))
        return singular_extension(worker, ss, node, extension, score);
    if (check_extension_applies(worker, ss, node, m))
        *extension = 1;
    return false;
}
