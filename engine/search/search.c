/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search.h"

#include "engine/base/minmax.h"
#include "engine/search/extend.h"
#include "engine/search/margins.h"
#include "engine/search/node.h"
#include "engine/search/picker.h"
#include "engine/search/prune.h"

#include <stdlib.h>

/* Moves that were searched and were not the best: they get a malus. */
enum { SEARCHED_MAX = 32 };
typedef struct {
    int count;
    Move moves[SEARCHED_MAX];
} SearchedMoves;

/* Mate distance pruning: no line from here can be better than mating at once or worse than being
 * mated now. */
static bool mate_distance_cuts(const Worker *worker, const SearchStack *ss, Node *node)
{
    node->alpha = int_max(node->alpha, -SCORE_MATE + ss->ply);
    node->beta = int_min(node->beta, SCORE_MATE - ss->ply - !worker_wins_without_move(worker));
    return node->alpha >= node->beta;
}

/* The transposition table's result is deep enough. Near the fifty-move limit it may not hold on
 * this path. */
static bool tt_cuts(const Worker *worker, const SearchStack *ss, const Node *node)
{
    return !node->is_pv && ss->excluded == MOVE_NONE && node->tt.depth >= node->depth &&
           worker_halfmoves(worker) < worker_params(worker)->tt_cut_halfmoves &&
           tt_bound_applies(&node->tt, node->alpha, node->beta);
}

/* A quiet TT move that refutes this node gets its history bonus though it is not searched again. */
static void reward_tt_move(Worker *worker, const SearchStack *ss, const Node *node)
{
    Move m = node->tt.move;
    if (m == MOVE_NONE || !move_is_quiet(m) || node->tt.score < node->beta ||
        !position_is_pseudo_legal(&worker->pos, m))
        return;
    HistoryView view = worker_history(worker, ss);
    history_find_threats(&view, &worker->pos);
    history_update_quiet(&view, &worker->pos, m,
                         margin_history_bonus(worker_params(worker), node->depth));
}

/* A tablebase result outside of the window is the node's score. Inside, on a principal variation,
 * it bounds what the search may find. */
static bool tablebase_cuts(Worker *worker, SearchStack *ss, Node *node, int *score)
{
    ScoreBound bound;
    if (ss->excluded != MOVE_NONE ||
        !worker_probe_tablebases(worker, ss, node->depth, score, &bound))
        return false;
    bool settled = bound == BOUND_EXACT ||
                   (bound == BOUND_LOWER ? *score >= node->beta : *score <= node->alpha);
    if (settled) {
        const TtEntry entry = { .score = *score,
                                .eval = SCORE_NONE,
                                .depth = int_min(node->depth +
                                                     worker_params(worker)->tablebase_depth_bonus,
                                                 MAX_PLY - 1),
                                .bound = bound,
                                .tt_pv = ss->tt_pv };
        worker_store(worker, ss, &entry);
        return true;
    }
    if (bound == BOUND_LOWER) {
        node->best_score = *score;
        node->alpha = int_max(node->alpha, *score);
    } else {
        node->max_score = *score;
    }
    return false;
}

/* The difference of static evaluations before and after a quiet move says how good the move was,
 * before any search does: it goes into the butterfly history. */
static void update_eval_difference_history(Worker *worker, const SearchStack *ss)
{
    const SearchStack *previous = ss - 1;
    const Params *p = worker_params(worker);
    if (!p->eval_history_scale || previous->move == MOVE_NONE || !move_is_quiet(previous->move) ||
        previous->static_eval == SCORE_NONE)
        return;
    int gain = -(ss->static_eval + previous->static_eval);
    int bonus = int_clamp(p->eval_history_scale * gain, -p->eval_history_max, p->eval_history_max);
    history_update_butterfly(&worker->history, worker->pos.side_to_move ^ 1, previous->threats,
                             previous->move, bonus);
}

static void set_static_eval(Worker *worker, SearchStack *ss, Node *node)
{
    if (ss->excluded != MOVE_NONE) { /* the call that tests for singularity has set it */
        node->raw_eval = SCORE_NONE; /* nothing will be stored */
        node->eval = ss->static_eval;
    } else {
        node_evaluate(worker, ss, node);
    }
    if (ss->in_check)
        return;
    if (ss->excluded == MOVE_NONE) {
        update_eval_difference_history(worker, ss);
        node->correction = abs(ss->static_eval - node->raw_eval);
    }
    node->worsening = ss[-1].static_eval != SCORE_NONE && ss->static_eval > -ss[-1].static_eval;
    int earlier = ss[-2].static_eval != SCORE_NONE ? ss[-2].static_eval : ss[-4].static_eval;
    node->improving =
        worker_params(worker)->improving && (earlier == SCORE_NONE || ss->static_eval > earlier);
}

/* Without a TT move the order is poor: a shallower search now finds one for the next visit. Root
 * moves have their order from the iteration before. */
static void internal_iterative_reduction(const Worker *worker, const SearchStack *ss, Node *node)
{
    if (node->depth >= worker_params(worker)->iir_depth && node->tt.move == MOVE_NONE &&
        ss->excluded == MOVE_NONE && (node->kind == NODE_PV || node->kind == NODE_CUT))
        node->depth--;
}

/* By how many plies to reduce the move's first search; it may be negative. */
static int late_move_reduction(const Worker *worker, const SearchStack *ss, const Node *node,
                               int history, bool quiet, Move m)
{
    const Params *p = worker_params(worker);
    int r = margin_reduction(p, node->depth, node->move_count);
    if (!quiet)
        r = r * p->lmr_noisy_scale / 100;
    if (ss->tt_pv)
        r -= p->lmr_pv;
    if (node->is_pv)
        r -= p->lmr_pv_node;
    int window = int_min(node->beta - node->alpha, worker->root_window);
    r += p->lmr_window / 2 - p->lmr_window * window / worker->root_window;
    if (node->kind == NODE_CUT)
        r += p->lmr_cut + (node->tt.move == MOVE_NONE ? p->lmr_cut_no_move : 0);
    r -= node->correction * p->lmr_correction;
    if (!node->improving)
        r += p->lmr_not_improving;
    if (ss[1].in_check)
        r -= p->lmr_check;
    if (node->tt_noisy)
        r += p->lmr_tt_noisy;
    if (m == ss->killers[0] || m == ss->killers[1])
        r -= p->lmr_killer;
    if (ss[1].cutoff_count > p->lmr_cutoff_count)
        r += p->lmr_cutoffs;
    r -= history * p->lmr_history / 1024;
    if (node->kind == NODE_ALL)
        r += r * p->lmr_all / (1024 * (node->depth + 1));
    return r / 1024;
}

/* Principal variation search of the move just made: late moves with a reduced depth and a null
 * window first, in full only when they beat alpha. */
static int search_child(Worker *worker, SearchStack *ss, const Node *node, int new_depth,
                        int history, bool quiet, Move m)
{
    SearchStack *child = ss + 1;
    int alpha = node->alpha;
    int score = 0;
    bool full_window = node->is_pv && node->move_count == 1;
    if (!full_window) {
        NodeKind kind = node->kind == NODE_CUT ? NODE_ALL : NODE_CUT;
        int reduction = 0;
        if (node->depth >= worker_params(worker)->lmr_depth &&
            node->move_count > 1 + (node->kind == NODE_ROOT))
            reduction = late_move_reduction(worker, ss, node, history, quiet, m);
        int depth = int_min(int_max(new_depth - reduction, 1), new_depth);
        bool reduced = depth < new_depth;
        score = -search_node(worker, child, -alpha - 1, -alpha, depth, reduced ? NODE_CUT : kind);
        if (reduced && score > alpha && !search_stopped(worker->search)) {
            const Params *p = worker_params(worker);
            int deeper = score > node->best_score + p->lmr_deeper_margin;
            int shallower = score < node->best_score + p->lmr_shallower_margin;
            int research_depth = new_depth + p->lmr_adjust * (deeper - shallower);
            if (research_depth > depth)
                score = -search_node(worker, child, -alpha - 1, -alpha, research_depth, kind);
        }
        full_window =
            node->is_pv && score > alpha && (node->kind == NODE_ROOT || score < node->beta);
    }
    if (full_window && !search_stopped(worker->search))
        score = -search_node(worker, child, -node->beta, -alpha, new_depth, NODE_PV);
    return score;
}

/* The root keeps the score and the principal variation of each move. */
static void update_root_move(Worker *worker, const Node *node, RootMove *root, int score,
                             uint64_t nodes)
{
    root->nodes += nodes;
    if (node->move_count > 1 && score <= node->alpha) {
        root->score = -SCORE_INFINITE; /* not better: its exact score is unknown */
        return;
    }
    worker->best_move_changes += node->move_count > 1 && worker->pv_index == 0;
    const PvLine *below = &worker_root_ss(worker)[1].pv;
    root->score = score;
    root->bound = score <= node->alpha  ? BOUND_UPPER
                  : score >= node->beta ? BOUND_LOWER
                                        : BOUND_EXACT;
    root->seldepth = worker->seldepth;
    root->pv.length = 1;
    for (int i = 0; i < below->length && root->pv.length < MAX_PLY; i++)
        root->pv.moves[root->pv.length++] = below->moves[i];
}

/* A sign of life in long searches: iterations may last for minutes. */
static void tell_root_move(const Worker *worker, const Node *node, Move m)
{
    enum { SILENT_MS = 3000 };
    const Search *search = worker->search;
    if (worker->index != 0 || !search->callbacks.on_root_move)
        return;
    int64_t time_ms = search_clock_ms(search);
    if (time_ms < SILENT_MS)
        return;
    uint64_t nodes = search_nodes(search);
    search->callbacks.on_root_move(search->callbacks.user,
                                   &(RootMoveInfo){ .move = m,
                                                    .number = worker->pv_index + node->move_count,
                                                    .depth = worker->root_depth,
                                                    .nodes = nodes,
                                                    .nps = nodes * 1000 / (uint64_t)time_ms,
                                                    .time_ms = time_ms });
}

static Move next_move(const Worker *worker, Node *node, Picker *picker)
{
    if (node->kind != NODE_ROOT)
        return picker_next(picker);
    if (node->root_index == worker->root_count)
        return MOVE_NONE;
    return worker->root[node->root_index++].move;
}

static void apply_malus(Worker *worker, const HistoryView *view, const SearchedMoves *quiets,
                        const SearchedMoves *noisies, const Node *node)
{
    int malus = -margin_history_malus(worker_params(worker), node->depth);
    if (move_is_quiet(node->best_move))
        for (int i = 0; i < quiets->count; i++)
            history_update_quiet(view, &worker->pos, quiets->moves[i], malus);
    for (int i = 0; i < noisies->count; i++)
        history_update_noisy(view->history, &worker->pos, noisies->moves[i], malus);
}

/* The best move gets the bonus, the moves searched before it the malus. */
static void update_histories(Worker *worker, SearchStack *ss, const Node *node,
                             const HistoryView *view, const SearchedMoves *quiets,
                             const SearchedMoves *noisies)
{
    Move m = node->best_move;
    int bonus = margin_history_bonus(worker_params(worker), node->depth);
    if (node->best_score >= node->beta)
        ss->cutoff_count++;
    if (move_is_quiet(m)) {
        if (ss->killers[0] != m) {
            ss->killers[1] = ss->killers[0];
            ss->killers[0] = m;
        }
        history_update_quiet(view, &worker->pos, m, bonus);
    } else {
        history_update_noisy(view->history, &worker->pos, m, bonus);
    }
    apply_malus(worker, view, quiets, noisies, node);
}

static void add_searched(SearchedMoves *searched, Move m)
{
    if (searched->count < SEARCHED_MAX)
        searched->moves[searched->count++] = m;
}

/* The entry of the quiet move that led to this node; NULL where it was none, and where the result
 * says nothing about it. */
static const SearchStack *quiet_move_before(const SearchStack *ss, const Node *node)
{
    const SearchStack *previous = ss - 1;
    bool tells = node->kind != NODE_ROOT && ss->excluded == MOVE_NONE;
    return tells && previous->move != MOVE_NONE && move_is_quiet(previous->move) ? previous : NULL;
}

/* The move before this node was bad where an answer is too good. Of later moves that was expected.
 */
static void punish_refuted(Worker *worker, const SearchStack *ss, const Node *node)
{
    enum { EARLY_MOVES = 4 };
    const Params *p = worker_params(worker);
    const SearchStack *previous = quiet_move_before(ss, node);
    if (!previous || previous->move_count > EARLY_MOVES)
        return;
    int malus = margin_history_malus(p, node->depth) * p->refuted_malus / 128;
    HistoryView view = worker_history(worker, previous);
    for (int i = 0; i < CONTINUATION_COUNT; i++)
        history_update_continuation(view.continuation[i], &worker->pos, move_to(previous->move),
                                    -malus);
}

/* The move before this node was good where no answer beats alpha. */
static void reward_unrefuted(Worker *worker, const SearchStack *ss, const Node *node)
{
    const Params *p = worker_params(worker);
    const SearchStack *previous = quiet_move_before(ss, node);
    if (!previous)
        return;
    int bonus = margin_history_bonus(p, node->depth) * p->unrefuted_bonus / 128;
    history_update_butterfly(&worker->history, worker->pos.side_to_move ^ 1, previous->threats,
                             previous->move, bonus);
    history_update_continuation(ss[-2].continuation, &worker->pos, move_to(previous->move), bonus);
}

/* True when the move's score ends the node. */
static bool update_best(SearchStack *ss, Node *node, Move m, int score)
{
    if (score <= node->best_score)
        return false;
    node->best_score = score;
    if (score <= node->alpha)
        return false;
    node->best_move = m;
    if (node->is_pv && node->kind != NODE_ROOT)
        pv_update(ss, m);
    if (score >= node->beta)
        return true;
    node->alpha = score;
    return false;
}

static void search_moves(Worker *worker, SearchStack *ss, Node *node)
{
    HistoryView view = worker_history(worker, ss);
    SearchedMoves quiets = { 0 };
    SearchedMoves noisies = { 0 };
    Picker picker;
    if (node->kind != NODE_ROOT)
        picker_init(&picker, &worker->pos, &view, node->tt.move, ss->killers);
    node->root_index = worker->pv_index;

    for (Move m; (m = next_move(worker, node, &picker)) != MOVE_NONE;) {
        if (m == ss->excluded)
            continue;
        worker_foretell(worker, m);
        bool quiet = move_is_quiet(m);
        int history = 0;
        if (quiet) {
            history_find_threats(&view, &worker->pos);
            ss->threats = view.threats;
            history = history_quiet(&view, &worker->pos, m);
        }
        node->move_count++;
        if (node->kind == NODE_ROOT)
            tell_root_move(worker, node, m);
        else if (prune_move(worker, ss, node, &view, &picker, m, history))
            continue;

        int extension;
        int cut_score;
        bool cuts = extend_move(worker, ss, node, m, &extension, &cut_score);
        if (search_stopped(worker->search))
            return;
        if (cuts) {
            node->best_score = cut_score;
            return;
        }
        if (!quiet)
            history = history_noisy(&view, &worker->pos, m);
        uint64_t nodes_before = worker_nodes(worker);
        ss->move_count = node->move_count;
        worker_make(worker, ss, m);
        ss[1].double_extensions += extension > 1;
        int score = search_child(worker, ss, node, node->depth - 1 + extension, history, quiet, m);
        worker_unmake(worker, ss);
        if (search_stopped(worker->search))
            return;

        if (node->kind == NODE_ROOT)
            update_root_move(worker, node, &worker->root[node->root_index - 1], score,
                             worker_nodes(worker) - nodes_before);
        if (update_best(ss, node, m, score)) {
            update_histories(worker, ss, node, &view, &quiets, &noisies);
            punish_refuted(worker, ss, node);
            return;
        }
        if (m != node->best_move)
            add_searched(quiet ? &quiets : &noisies, m);
    }
    if (node->move_count == 0) /* mate, stalemate, or nothing but the excluded move */
        node->best_score = ss->excluded != MOVE_NONE          ? node->alpha
                           : position_in_check(&worker->pos)  ? -SCORE_MATE + ss->ply
                           : worker_wins_without_move(worker) ? SCORE_MATE - ss->ply
                                                              : worker_draw_score(worker);
    else if (node->best_score == -SCORE_INFINITE)
        node->best_score = node->alpha; /* everything was pruned */
    else if (node->best_move != MOVE_NONE)
        update_histories(worker, ss, node, &view, &quiets, &noisies);
    if (node->best_move == MOVE_NONE && node->move_count > 0)
        reward_unrefuted(worker, ss, node);
}

/* The static evaluation was off where the score of a quiet position lies beyond it on the side that
 * the bound proves. */
static void update_correction_history(Worker *worker, const SearchStack *ss, const Node *node)
{
    int score = node->best_score;
    bool is_quiet = node->best_move == MOVE_NONE || move_is_quiet(node->best_move);
    bool failed_high = score >= node->beta;
    bool failed_low = score <= node->original_alpha;
    if (ss->in_check || !is_quiet || score_is_decided(score) ||
        (failed_high && score <= ss->static_eval) || (failed_low && score >= ss->static_eval))
        return;
    const Params *p = worker_params(worker);
    int bonus = (score - ss->static_eval) * node->depth / p->correction_divisor;
    worker_update_correction(worker, ss, int_clamp(bonus, -p->correction_step, p->correction_step));
}

int search_node(Worker *worker, SearchStack *ss, int alpha, int beta, int depth, NodeKind kind)
{
    if (depth <= 0)
        return search_quiescence(worker, ss, alpha, beta, kind);
    if (worker_must_stop(worker))
        return SCORE_DRAW;
    Node node = {
        .kind = kind,
        .is_pv = kind == NODE_PV || kind == NODE_ROOT,
        .alpha = alpha,
        .beta = beta,
        .depth = int_min(depth, MAX_PLY - 1),
        .best_score = -SCORE_INFINITE,
        .max_score = SCORE_INFINITE,
    };
    const bool is_variant = !position_is_chess(&worker->pos);
    ss[2].cutoff_count = 0;
    int score;
    if (kind != NODE_ROOT) {
        if (is_variant && worker_variant_end(worker, ss, &score))
            return score;
        if (worker_is_draw(worker, ss))
            return worker_draw_score(worker);
        if (is_variant && worker_variant_wins(worker, ss, &score))
            return score;
        if (ss->ply >= MAX_PLY)
            return ss->in_check ? SCORE_DRAW : worker_evaluate(worker);
        if (mate_distance_cuts(worker, ss, &node))
            return node.alpha;
    }
    node.original_alpha = node.alpha;

    node.tt = worker_probe(worker, ss);
    if (tt_cuts(worker, ss, &node)) {
        reward_tt_move(worker, ss, &node);
        return node.tt.score;
    }
    node.tt_noisy = node.tt.move != MOVE_NONE && !move_is_quiet(node.tt.move);
    if (ss->excluded == MOVE_NONE)
        ss->tt_pv = node.is_pv || node.tt.tt_pv;
    node.tt_pv = ss->tt_pv;

    if (kind != NODE_ROOT && tablebase_cuts(worker, ss, &node, &score))
        return score;
    set_static_eval(worker, ss, &node);
    if (prune_node(worker, ss, &node, &score))
        return score;
    if (search_stopped(worker->search))
        return SCORE_DRAW;
    internal_iterative_reduction(worker, ss, &node);
    search_moves(worker, ss, &node);
    /* A null window's score above beta is worth less after a shallow search. */
    if (!node.is_pv && node.best_score > node.beta && !score_is_decided(node.best_score))
        node.best_score = (node.best_score * node.depth + node.beta) / (node.depth + 1);
    node.best_score = int_min(node.best_score, node.max_score);
    /* With an excluded move, or of a later MultiPV line, it is not the position's own score. */
    bool is_own_score = ss->excluded == MOVE_NONE && (kind != NODE_ROOT || worker->pv_index == 0);
    if (is_own_score && !search_stopped(worker->search)) {
        update_correction_history(worker, ss, &node);
        node_store(worker, ss, &node, node_bound(&node));
    }
    return node.best_score;
}
