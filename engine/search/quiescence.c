/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search.h"

#include "engine/search/picker.h"
#include "engine/search/see.h"

typedef struct {
    NodeKind kind;
    int alpha, beta, original_alpha;
    TtEntry tt;
    int raw_eval;
    int best_score;
    Move best_move;
} Node;

/* No side has to capture: out of check the static evaluation is a lower bound. */
static void stand_pat(Worker *worker, SearchStack *ss, Node *node)
{
    if (ss->in_check) {
        ss->static_eval = node->raw_eval = SCORE_NONE;
        node->best_score = -SCORE_INFINITE;
        return;
    }
    node->raw_eval = node->tt.eval != SCORE_NONE ? node->tt.eval : worker_evaluate(worker);
    ss->static_eval = worker_correct_eval(worker, ss, node->raw_eval);
    bool use_tt_score =
        tt_refines_eval(&node->tt, ss->static_eval) && !score_is_decided(node->tt.score);
    node->best_score = use_tt_score ? node->tt.score : ss->static_eval;
    if (node->best_score > node->alpha)
        node->alpha = node->best_score;
}

static void store_in_tt(Worker *worker, const SearchStack *ss, const Node *node)
{
    ScoreBound bound = node->best_score >= node->beta            ? BOUND_LOWER
                       : node->best_score > node->original_alpha ? BOUND_EXACT
                                                                 : BOUND_UPPER;
    const TtEntry entry = {
        .move = node->best_move,
        .score = node->best_score,
        .eval = node->raw_eval,
        .depth = TT_DEPTH_QUIESCENCE,
        /* Not every move was tried, so even inside the window it is no exact score. */
        .bound = bound == BOUND_EXACT ? BOUND_UPPER : bound,
        .tt_pv = node->tt.tt_pv,
    };
    tt_store(worker->search->tt, worker->pos.key, ss->ply, &entry);
}

/* Delta pruning: even with the victim's value and a margin the move stays below alpha. */
static bool is_futile(Worker *worker, const SearchStack *ss, Node *node, Move m)
{
    if (!worker_params(worker)->qs_prune || move_is_promotion(m) ||
        position_gives_check(&worker->pos, m))
        return false;
    Piece victim = move_is_en_passant(m) ? PAWN : worker->pos.board[move_to(m)];
    int base = ss->static_eval + worker_params(worker)->qs_futility;
    int futility_value = base + see_value[piece_type(victim)];
    if (futility_value <= node->alpha) {
        if (futility_value > node->best_score)
            node->best_score = futility_value;
        return true;
    }
    return base <= node->alpha && !see_at_least(&worker->pos, m, 1);
}

static void search_moves(Worker *worker, SearchStack *ss, Node *node)
{
    const HistoryView view =
        ss->in_check ? worker_history(worker, ss) : worker_noisy_history(worker, ss);
    Picker picker;
    if (ss->in_check)
        picker_init(&picker, &worker->pos, &view, node->tt.move, ss->killers);
    else
        picker_init_noisy(&picker, &worker->pos, &view, node->tt.move, 0);
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        bool is_not_mated = node->best_score > -SCORE_MATE_BOUND;
        if (is_not_mated && !ss->in_check && is_futile(worker, ss, node, m))
            continue;
        if (is_not_mated && ss->in_check)
            picker_skip_quiets(&picker); /* one evasion that avoids mate is enough */

        worker_make(worker, ss, m);
        int score = -search_quiescence(worker, ss + 1, -node->beta, -node->alpha, node->kind);
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
    if (ss->in_check && node->best_score == -SCORE_INFINITE)
        node->best_score = -SCORE_MATE + ss->ply; /* no move at all */
}

int search_quiescence(Worker *worker, SearchStack *ss, int alpha, int beta, NodeKind kind)
{
    if (worker_must_stop(worker))
        return SCORE_DRAW;
    if (worker_is_draw(worker, ss))
        return worker_draw_score(worker);
    if (ss->ply >= MAX_PLY)
        return ss->in_check ? SCORE_DRAW : worker_evaluate(worker);

    Node node = { .kind = kind, .alpha = alpha, .beta = beta, .original_alpha = alpha };
    node.tt = tt_probe(worker->search->tt, worker->pos.key, ss->ply);
    if (kind != NODE_PV && tt_bound_applies(&node.tt, alpha, beta))
        return node.tt.score;
    stand_pat(worker, ss, &node);
    if (node.alpha < node.beta)
        search_moves(worker, ss, &node);
    if (!search_stopped(worker->search))
        store_in_tt(worker, ss, &node);
    return node.best_score;
}
