/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/prune.h"

#include "engine/search/margins.h"
#include "engine/search/see.h"

/* Only pawns left: zugzwang is likely. */
static bool has_pieces(const Position *pos)
{
    Colour us = pos->side_to_move;
    return pos->occupied_by[us] != (pos->pieces[us][PAWN] | pos->pieces[us][KING]);
}

/* So far above beta that the opponent is not expected to catch up. */
static bool reverse_futility_cuts(const Worker *worker, const Node *node)
{
    const Params *p = params_of(worker);
    return node->depth <= p->rfp_depth && !score_is_decided(node->beta) &&
           node->estimate - margin_reverse_futility(p, node->depth, node->improving) >= node->beta;
}

/* So far below alpha that only captures could help: ask quiescence. */
static bool razoring_cuts(Worker *worker, Frame *frame, const Node *node, int *score)
{
    const Params *p = params_of(worker);
    if (node->depth > p->razor_depth ||
        node->estimate + p->razor_margin * node->depth > node->alpha)
        return false;
    *score = search_quiescence(worker, frame, node->alpha, node->alpha + 1, node->kind);
    return *score <= node->alpha && !score_is_decided(*score);
}

/* If passing the turn still holds beta, a real move will. Deep down the claim is verified by a
 * search without null moves, for the sake of zugzwang. */
static bool null_move_cuts(Worker *worker, Frame *frame, const Node *node, int *score)
{
    const Params *p = params_of(worker);
    if (node->depth < p->null_depth || frame[-1].move == MOVE_NONE || node->estimate < node->beta ||
        frame->eval < node->beta - 20 * node->depth || frame->ply < worker->null_min_ply ||
        score_is_decided(node->beta) || !has_pieces(&worker->pos))
        return false;
    int depth = node->depth - margin_null_reduction(p, node->depth, node->estimate - node->beta);

    worker_make_null(worker, frame);
    *score = -search_node(worker, frame + 1, -node->beta, -node->beta + 1, depth, NODE_ALL);
    worker_unmake_null(worker, frame);
    if (*score < node->beta || search_stopped(worker->search))
        return false;
    if (score_is_decided(*score))
        *score = node->beta; /* a mate by passing is not proven */
    if (worker->null_min_ply || node->depth < p->null_verify_depth)
        return true;

    worker->null_min_ply = frame->ply + 3 * depth / 4;
    int verified =
        search_node(worker, frame, node->beta - 1, node->beta, max_of(depth, 1), NODE_ALL);
    worker->null_min_ply = 0;
    return verified >= node->beta;
}

/* A capture that beats beta by a margin in a shallower search will beat it in the full one. */
static bool probcut_cuts(Worker *worker, Frame *frame, const Node *node, int *score)
{
    const Params *p = params_of(worker);
    int goal = node->beta + p->probcut_margin;
    if (node->depth < p->probcut_depth || score_is_decided(node->beta) ||
        (node->tt.score != SCORE_NONE && node->tt.depth >= node->depth - 3 &&
         node->tt.score < goal))
        return false;
    const HistoryView view = worker_noisy_history(worker, frame);
    Picker picker;
    picker_init_noisy(&picker, &worker->pos, &view, node->tt.move, goal - frame->eval);
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        if (m == frame->excluded)
            continue;
        worker_make(worker, frame, m);
        *score = -search_quiescence(worker, frame + 1, -goal, -goal + 1, NODE_CUT);
        if (*score >= goal)
            *score = -search_node(worker, frame + 1, -goal, -goal + 1, node->depth - 4,
                                  node->kind == NODE_CUT ? NODE_ALL : NODE_CUT);
        worker_unmake(worker, frame);
        if (search_stopped(worker->search))
            return false;
        if (*score < goal)
            continue;
        const TtEntry entry = { .move = m,
                                .score = *score,
                                .eval = node->raw_eval,
                                .depth = node->depth - 3,
                                .bound = BOUND_LOWER,
                                .was_pv = frame->was_pv };
        tt_store(worker->search->tt, worker->pos.key, frame->ply, &entry);
        return true;
    }
    return false;
}

bool prune_node(Worker *worker, Frame *frame, const Node *node, int *score)
{
    if (node->is_pv || frame->in_check || frame->excluded != MOVE_NONE)
        return false;
    if (reverse_futility_cuts(worker, node)) {
        *score = node->estimate;
        return true;
    }
    return razoring_cuts(worker, frame, node, score) ||
           null_move_cuts(worker, frame, node, score) || probcut_cuts(worker, frame, node, score);
}

bool prune_move(const Worker *worker, const Frame *frame, const Node *node, const HistoryView *view,
                Picker *picker, Move m)
{
    const Params *p = params_of(worker);
    const Position *pos = &worker->pos;
    if (node->best_score <= -SCORE_EVAL_MAX || !has_pieces(pos))
        return false;
    int reduced =
        max_of(node->depth - margin_reduction(p, node->depth, node->move_number) / 1024, 0);

    if (node->depth <= p->lmp_depth && !node->is_pv &&
        node->move_number >= margin_move_count(p, node->depth, node->improving))
        picker_skip_quiets(picker);

    if (!move_is_quiet(m))
        return node->depth <= p->see_depth &&
               !see_at_least(pos, m, -p->see_noisy_margin * node->depth);

    if (!frame->in_check && reduced <= p->futility_depth &&
        frame->eval + p->futility_base + p->futility_margin * reduced <= node->alpha &&
        !position_gives_check(pos, m)) {
        picker_skip_quiets(picker);
        return true;
    }
    if (reduced <= p->history_prune_depth &&
        history_continuation(view, pos, m) < -p->history_prune_margin * (reduced + 1))
        return true;
    return reduced <= p->see_depth &&
           !see_at_least(pos, m, -p->see_quiet_margin * reduced * reduced);
}
