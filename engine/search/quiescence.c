/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search.h"

#include "engine/search/picker.h"
#include "engine/search/see.h"

typedef struct {
    NodeKind kind;
    int alpha, beta, first_alpha;
    TtEntry tt;
    int raw_eval;
    int best_score;
    Move best_move;
} Node;

/* Nobody has to capture: the evaluation is a lower bound when not in check. */
static void stand_pat(Worker *worker, Frame *frame, Node *node)
{
    if (frame->in_check) {
        frame->eval = node->raw_eval = SCORE_NONE;
        node->best_score = -SCORE_INFINITE;
        return;
    }
    node->raw_eval = node->tt.eval != SCORE_NONE ? node->tt.eval : worker_evaluate(worker);
    frame->eval = worker_correct(worker, frame, node->raw_eval);
    bool use_table = tt_improves(&node->tt, frame->eval) && !score_is_decided(node->tt.score);
    node->best_score = use_table ? node->tt.score : frame->eval;
    if (node->best_score > node->alpha)
        node->alpha = node->best_score;
}

static void remember(Worker *worker, const Frame *frame, const Node *node)
{
    ScoreBound bound = node->best_score >= node->beta         ? BOUND_LOWER
                       : node->best_score > node->first_alpha ? BOUND_EXACT
                                                              : BOUND_UPPER;
    const TtEntry entry = {
        .move = node->best_move,
        .score = node->best_score,
        .eval = node->raw_eval,
        .depth = TT_DEPTH_QUIESCENCE,
        /* Not every move was tried, so even inside the window it is no exact score. */
        .bound = bound == BOUND_EXACT ? BOUND_UPPER : bound,
        .was_pv = node->tt.was_pv,
    };
    tt_store(worker->search->tt, worker->pos.key, frame->ply, &entry);
}

/* Even with the victim and a margin the move stays below alpha. */
static bool is_futile(Worker *worker, const Frame *frame, Node *node, Move m)
{
    if (!worker_params(worker)->qs_prune || move_is_promotion(m) ||
        position_gives_check(&worker->pos, m))
        return false;
    Piece victim = move_is_en_passant(m) ? PAWN : worker->pos.board[move_to(m)];
    int base = frame->eval + worker_params(worker)->qs_futility;
    int hope = base + see_value[piece_type(victim)];
    if (hope <= node->alpha) {
        if (hope > node->best_score)
            node->best_score = hope;
        return true;
    }
    return base <= node->alpha && !see_at_least(&worker->pos, m, 1);
}

static void try_moves(Worker *worker, Frame *frame, Node *node)
{
    const HistoryView view =
        frame->in_check ? worker_history(worker, frame) : worker_noisy_history(worker, frame);
    Picker picker;
    if (frame->in_check)
        picker_init(&picker, &worker->pos, &view, node->tt.move, frame->killers);
    else
        picker_init_noisy(&picker, &worker->pos, &view, node->tt.move, 0);
    for (Move m; (m = picker_next(&picker)) != MOVE_NONE;) {
        bool can_be_lost = node->best_score > -SCORE_MATE_BOUND;
        if (can_be_lost && !frame->in_check && is_futile(worker, frame, node, m))
            continue;
        if (can_be_lost && frame->in_check)
            picker_skip_quiets(&picker); /* one way out of check is enough to know */

        worker_make(worker, frame, m);
        int score = -search_quiescence(worker, frame + 1, -node->beta, -node->alpha, node->kind);
        worker_unmake(worker, frame);
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
            frame_set_line(frame, m);
        if (score >= node->beta)
            return;
    }
    if (frame->in_check && node->best_score == -SCORE_INFINITE)
        node->best_score = -SCORE_MATE + frame->ply; /* no move at all */
}

int search_quiescence(Worker *worker, Frame *frame, int alpha, int beta, NodeKind kind)
{
    if (worker_must_stop(worker))
        return SCORE_DRAW;
    worker_enter(worker, frame);
    if (worker_is_draw(worker, frame))
        return worker_draw_score(worker);
    if (frame->ply >= MAX_PLY)
        return frame->in_check ? SCORE_DRAW : worker_evaluate(worker);

    Node node = { .kind = kind, .alpha = alpha, .beta = beta, .first_alpha = alpha };
    node.tt = tt_probe(worker->search->tt, worker->pos.key, frame->ply);
    if (kind != NODE_PV && tt_answers(&node.tt, alpha, beta))
        return node.tt.score;
    stand_pat(worker, frame, &node);
    if (node.alpha < node.beta)
        try_moves(worker, frame, &node);
    if (!search_stopped(worker->search))
        remember(worker, frame, &node);
    return node.best_score;
}
