/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/extend.h"

#include "engine/search/see.h"

/* Is the table's move the only good one? Search the others, shallower, below a bar under its score:
 * if none reaches the bar, look deeper at the move; if they beat beta too, there are several ways
 * to cut (then *score is set and true returned). */
static bool test_singular(Worker *worker, Frame *frame, const Node *node, int *extension,
                          int *score)
{
    const Params *p = params_of(worker);
    int bar = node->tt.score - p->singular_margin * node->depth / 16;
    Move m = node->tt.move;
    frame->excluded = m;
    *score = search_node(worker, frame, bar - 1, bar, (node->depth - 1) / 2,
                         node->kind == NODE_CUT ? NODE_CUT : NODE_ALL);
    frame->excluded = MOVE_NONE;
    if (search_stopped(worker->search))
        return false;
    if (*score < bar) {
        bool twice = !node->is_pv && *score < bar - p->double_margin &&
                     frame->double_extends < p->double_max;
        *extension = 1 + twice;
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

static bool may_be_singular(const Worker *worker, const Frame *frame, const Node *node, Move m)
{
    const Params *p = params_of(worker);
    return node->kind != NODE_ROOT && m == node->tt.move && frame->excluded == MOVE_NONE &&
           node->depth >= p->singular_depth && node->tt.depth >= node->depth - 3 &&
           node->tt.bound != BOUND_UPPER && node->tt.score != SCORE_NONE &&
           !score_is_decided(node->tt.score) && frame->ply < 2 * worker->root_depth;
}

/* A check that loses nothing forces the reply: see it before judging. Only on the principal
 * variation: elsewhere it cost strength. */
static bool check_extends(const Worker *worker, const Frame *frame, const Node *node, Move m)
{
    return node->is_pv && node->depth <= params_of(worker)->check_extension_depth &&
           frame->ply < 2 * worker->root_depth && position_gives_check(&worker->pos, m) &&
           see_at_least(&worker->pos, m, 0);
}

bool extend_move(Worker *worker, Frame *frame, const Node *node, Move m, int *extension, int *score)
{
    *extension = 0;
    if (may_be_singular(worker, frame, node, m))
        return test_singular(worker, frame, node, extension, score);
    if (check_extends(worker, frame, node, m))
        *extension = 1;
    return false;
}
