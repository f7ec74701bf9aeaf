/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search.h"

#include "engine/base/minmax.h"
#include "engine/search/node.h"
#include "engine/search/picker.h"
#include "engine/search/see.h"

/* No side has to capture: out of check the static evaluation is a lower bound. */
static void stand_pat(Worker *worker, SearchStack *ss, Node *node)
{
    node_evaluate(worker, ss, node);
    node->best_score = ss->in_check ? -SCORE_INFINITE : node->eval;
    node->alpha = int_max(node->alpha, node->best_score);
}

/* Delta pruning: even with the victim's value and a margin the move stays below alpha. */
static bool is_futile(Worker *worker, const SearchStack *ss, Node *node, Move m)
{
    if (!worker_params(worker)->qs_prune || move_is_promotion(m) ||
        position_gives_check(&worker->pos, m))
        return false;
    int base = ss->static_eval + worker_params(worker)->qs_futility;
    int futility_value = base + worker_victim_value(worker, m);
    if (futility_value <= node->alpha) {
        if (futility_value > node->best_score)
            node->best_score = futility_value;
        return true;
    }
    return base <= node->alpha && !see_at_least(&worker->pos, m, 1);
}

/* The good captures come first: later ones are tried only where they promote, recapture or check.
 */
static bool is_late(const Worker *worker, const SearchStack *ss, const Node *node, Move m)
{
    const SearchStack *previous = ss - 1;
    return node->move_count > worker_params(worker)->qs_moves_max && !move_is_promotion(m) &&
           (previous->move == MOVE_NONE || move_to(previous->move) != move_to(m)) &&
           !position_gives_check(&worker->pos, m);
}

static int search_captures(Worker *worker, SearchStack *ss, int alpha, int beta, NodeKind kind,
                           int plies);

static void search_moves(Worker *worker, SearchStack *ss, Node *node, int plies)
{
    HistoryView view = worker_history(worker, ss);
    Picker picker;
    if (ss->in_check)
        picker_init(&picker, &worker->pos, &view, node->tt.move, ss->killers);
    else
        picker_init_noisy(&picker, &worker->pos, &view, node->tt.move,
                          -worker_params(worker)->qs_see_loss);
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        worker_foretell(worker, m);
        bool is_not_mated = node->best_score > -SCORE_MATE_BOUND;
        node->move_count++;
        if (is_not_mated && !ss->in_check &&
            (is_late(worker, ss, node, m) || is_futile(worker, ss, node, m)))
            continue;
        if (is_not_mated && ss->in_check)
            picker_skip_quiets(&picker); /* one evasion that avoids mate is enough */

        worker_make(worker, ss, m);
        int score =
            -search_captures(worker, ss + 1, -node->beta, -node->alpha, node->kind, plies + 1);
        worker_unmake(worker, ss);
        if (search_stopped(worker->search))
            return;

        if (score <= node->best_score)
            continue;
        node->best_score = score;
        if (score <= node->alpha)
            continue;
        node->best_move = m;
        node->alpha = score;
        if (node->kind == NODE_PV)
            pv_update(ss, m);
        if (score >= node->beta)
            return;
    }
    if (ss->in_check && node->best_score == -SCORE_INFINITE) /* no move at all */
        node->best_score =
            position_in_check(&worker->pos) ? -SCORE_MATE + ss->ply : worker_draw_score(worker);
}

/* `plies` have been searched above. */
static int search_captures(Worker *worker, SearchStack *ss, int alpha, int beta, NodeKind kind,
                           int plies)
{
    if (worker_must_stop(worker))
        return SCORE_DRAW;
    const bool is_variant = !position_is_chess(&worker->pos);
    int score;
    if (is_variant && worker_variant_end(worker, ss, &score))
        return score;
    if (worker_is_draw(worker, ss))
        return worker_draw_score(worker);
    if (is_variant && worker_variant_wins(worker, ss, &score))
        return score;
    if (ss->ply >= MAX_PLY)
        return ss->in_check ? SCORE_DRAW : worker_evaluate(worker);
    /* Where none may stand pat, captures branch until the board is empty: in half of antichess's
     * openings no first iteration ended within 20,000 nodes. */
    if (is_variant && plies >= worker_params(worker)->qs_forced_plies &&
        variant_forces_capture(&worker->pos))
        return worker_evaluate(worker);

    Node node = { .kind = kind,
                  .alpha = alpha,
                  .beta = beta,
                  .original_alpha = alpha,
                  .depth = TT_DEPTH_QUIESCENCE };
    node.tt = worker_probe(worker, ss);
    if (kind != NODE_PV && tt_bound_applies(&node.tt, alpha, beta))
        return node.tt.score;
    node.tt_pv = node.tt.tt_pv;
    stand_pat(worker, ss, &node);
    if (node.alpha < node.beta)
        search_moves(worker, ss, &node, plies);
    /* Beyond beta the score of captures alone is not worth its face value. */
    if (node.best_score > beta && !score_is_decided(node.best_score))
        node.best_score = (node.best_score + beta) / 2;
    if (!search_stopped(worker->search)) /* not every move was tried: no score is exact */
        node_store(worker, ss, &node, node_bound(&node) == BOUND_LOWER ? BOUND_LOWER : BOUND_UPPER);
    return node.best_score;
}

int search_quiescence(Worker *worker, SearchStack *ss, int alpha, int beta, NodeKind kind)
{
    return search_captures(worker, ss, alpha, beta, kind, 0);
}
