/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/prune.h"

#include "engine/base/minmax.h"
#include "engine/search/margins.h"
#include "engine/search/see.h"

/* Pieces in hand stay there, and pawns without a king are no ending. */
static bool never_is_ending(const Position *pos)
{
    const VariantRules *rules = variant_rules(pos);
    return rules->drops_captures || !rules->is_royal[pos->side_to_move];
}

/* With king and pawns alone zugzwang is likely. */
static bool has_non_pawn_material(const Position *pos)
{
    Colour us = pos->side_to_move;
    if (!position_is_chess(pos) && never_is_ending(pos))
        return true;
    return pos->occupied_by[us] != (pos->pieces[us][PAWN] | pos->pieces[us][KING]);
}

/* Reverse futility pruning: so far above beta that the opponent is not expected to catch up. */
static bool reverse_futility_cuts(const Worker *worker, const Node *node)
{
    const Params *p = worker_params(worker);
    if (node->depth > p->rfp_depth || score_is_decided(node->beta))
        return false;
    const FutilityFacts facts = {
        .depth = node->depth,
        .improving = node->improving,
        .worsening = node->worsening,
        .tt_pv = node->tt_pv,
        .correction = node->correction,
    };
    return node->eval - margin_reverse_futility(p, &facts) >= node->beta;
}

/* Razoring: so far below alpha that only captures could help, which quiescence search decides. */
static bool razoring_cuts(Worker *worker, SearchStack *ss, const Node *node, int *score)
{
    const Params *p = worker_params(worker);
    if (node->depth > p->razor_depth || node->eval + p->razor_margin * node->depth > node->alpha)
        return false;
    *score = search_quiescence(worker, ss, node->alpha, node->alpha + 1, node->kind);
    return *score <= node->alpha && !score_is_decided(*score);
}

/* Null move pruning: if passing the turn still holds beta, a real move will. At high depth a search
 * without null moves verifies that, because of zugzwang. */
static bool null_move_cuts(Worker *worker, SearchStack *ss, const Node *node, int *score)
{
    const Params *p = worker_params(worker);
    if (node->depth < p->null_depth || ss[-1].move == MOVE_NONE || node->eval < node->beta ||
        ss->static_eval < node->beta - p->null_static_margin * node->depth + p->null_static_base ||
        ss->ply < worker->null_min_ply || score_is_decided(node->beta) ||
        !(worker->rules->has_null_moves || p->null_always) || !has_non_pawn_material(&worker->pos))
        return false;
    int depth = node->depth - margin_null_reduction(p, node->depth, node->eval - node->beta);

    NodeKind child = node->kind == NODE_ALL && p->null_cut_child ? NODE_CUT : NODE_ALL;
    worker_make_null(worker, ss);
    *score = -search_node(worker, ss + 1, -node->beta, -node->beta + 1, depth, child);
    worker_unmake_null(worker, ss);
    if (*score < node->beta || search_stopped(worker->search))
        return false;
    if (score_is_decided(*score))
        *score = node->beta; /* a mate by passing is not proven */
    if (worker->null_min_ply || node->depth < p->null_verify_depth)
        return true;

    worker->null_min_ply = ss->ply + p->null_verify_scale * depth / 100;
    int verified = search_node(worker, ss, node->beta - 1, node->beta, int_max(depth, 1), NODE_ALL);
    worker->null_min_ply = 0;
    return verified >= node->beta;
}

/* ProbCut from the TT: a shallower search has beaten beta by a margin already. */
static bool tt_probcut_cuts(const Worker *worker, const Node *node, int *score)
{
    enum { PLIES_LESS = 4 };
    *score = node->beta + worker_params(worker)->probcut_tt_margin;
    return node->tt.score != SCORE_NONE && node->tt.bound == BOUND_LOWER &&
           node->tt.depth >= node->depth - PLIES_LESS && node->tt.score >= *score &&
           !score_is_decided(node->tt.score) && !score_is_decided(node->beta);
}

/* ProbCut: a capture that beats beta by a margin in a shallower search will beat beta in the full
 * one. */
static bool probcut_cuts(Worker *worker, SearchStack *ss, const Node *node, int *score)
{
    const Params *p = worker_params(worker);
    int probcut_beta = node->beta + p->probcut_margin;
    if (node->depth < p->probcut_depth || score_is_decided(node->beta) ||
        (node->tt.score != SCORE_NONE && node->tt.depth > node->depth - p->probcut_reduction &&
         node->tt.score < probcut_beta))
        return false;
    HistoryView view = worker_history(worker, ss);
    Picker picker;
    picker_init_noisy(&picker, &worker->pos, &view, node->tt.move, probcut_beta - ss->static_eval);
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        if (m == ss->excluded)
            continue;
        worker_foretell(worker, m);
        worker_make(worker, ss, m);
        *score = -search_quiescence(worker, ss + 1, -probcut_beta, -probcut_beta + 1, NODE_CUT);
        if (*score >= probcut_beta)
            *score = -search_node(worker, ss + 1, -probcut_beta, -probcut_beta + 1,
                                  node->depth - p->probcut_reduction,
                                  node->kind == NODE_CUT ? NODE_ALL : NODE_CUT);
        worker_unmake(worker, ss);
        if (search_stopped(worker->search))
            return false;
        if (*score < probcut_beta)
            continue;
        const TtEntry entry = { .move = m,
                                .score = *score,
                                .eval = node->raw_eval,
                                .depth = node->depth - p->probcut_reduction + 1,
                                .bound = BOUND_LOWER,
                                .tt_pv = ss->tt_pv };
        worker_store(worker, ss, &entry);
        return true;
    }
    return false;
}

bool prune_node(Worker *worker, SearchStack *ss, const Node *node, int *score)
{
    if (node->is_pv || ss->in_check || ss->excluded != MOVE_NONE)
        return false;
    if (reverse_futility_cuts(worker, node)) {
        /* Only beta is believed: how far the static evaluation lies above it proves little. */
        *score = score_is_decided(node->eval) ? node->eval : (node->eval + node->beta) / 2;
        return true;
    }
    return razoring_cuts(worker, ss, node, score) || null_move_cuts(worker, ss, node, score) ||
           tt_probcut_cuts(worker, node, score) || probcut_cuts(worker, ss, node, score);
}

/* Futility and SEE pruning of a capture or promotion. Both forgive more where its history is good.
 */
static bool prune_noisy(const Worker *worker, const SearchStack *ss, const Node *node,
                        const HistoryView *view, Move m, int lmr_depth)
{
    const Params *p = worker_params(worker);
    const Position *pos = &worker->pos;
    int merit = history_noisy(view, pos, m) * p->noisy_history / 1024;
    if (!ss->in_check && lmr_depth <= p->noisy_futility_depth && !move_is_promotion(m)) {
        int hope = ss->static_eval + worker_victim_value(worker, m) + p->noisy_futility_base +
                   p->noisy_futility_margin * lmr_depth + merit;
        if (hope <= node->alpha && !position_gives_check(pos, m))
            return true;
    }
    int margin = p->see_noisy_margin * node->depth;
    return node->depth <= p->see_noisy_depth &&
           !see_at_least(pos, m, -margin - int_clamp(merit, -margin, margin));
}

bool prune_move(const Worker *worker, const SearchStack *ss, const Node *node,
                const HistoryView *view, Picker *picker, Move m, int history)
{
    const Params *p = worker_params(worker);
    const Position *pos = &worker->pos;
    if (node->best_score <= -SCORE_TABLEBASE_BOUND || !has_non_pawn_material(pos))
        return false;
    int reduction = margin_reduction(p, node->depth, node->move_count) / 1024;
    int lmr_depth = int_max(node->depth - p->prune_depth_less - reduction, 0);

    if (node->depth <= p->lmp_depth && !node->is_pv &&
        node->move_count >= margin_late_move_count(p, node->depth, node->improving))
        picker_skip_quiets(picker);

    bool see_prunes = !worker->rules->allows_losses;
    if (!move_is_quiet(m))
        return see_prunes && prune_noisy(worker, ss, node, view, m, lmr_depth);

    if (!ss->in_check && lmr_depth <= p->futility_depth) {
        int missing =
            node->alpha - ss->static_eval - p->futility_base - p->futility_margin * lmr_depth;
        if (history * p->futility_history / 1024 <= missing && !position_gives_check(pos, m)) {
            if (picker->quiet_score * p->futility_history / 1024 <= missing)
                picker_skip_quiets(picker);
            return true;
        }
    }
    if (lmr_depth <= p->history_prune_depth &&
        history_continuation(view, pos, m) < -p->history_prune_margin * (lmr_depth + 1))
        return true;
    return see_prunes && lmr_depth <= p->see_quiet_depth &&
           !see_at_least(pos, m, -p->see_quiet_margin * lmr_depth * lmr_depth);
}
