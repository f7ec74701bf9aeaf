/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search.h"

#include "engine/search/extend.h"
#include "engine/search/margins.h"
#include "engine/search/node.h"
#include "engine/search/picker.h"
#include "engine/search/prune.h"

/* Moves that were searched and were not the best: they get the blame. */
enum { TRIED_MAX = 32 };
typedef struct {
    int count;
    Move moves[TRIED_MAX];
} Tried;

/* No line from here can be better than mating at once or worse than being mated now. */
static bool mate_distance_closes(const Frame *frame, Node *node)
{
    node->alpha = max_of(node->alpha, -SCORE_MATE + frame->ply);
    node->beta = min_of(node->beta, SCORE_MATE - frame->ply - 1);
    return node->alpha >= node->beta;
}

/* The table's result is deep enough. Near the fifty-move limit it may not hold on this path. */
static bool table_cuts(const Worker *worker, const Frame *frame, const Node *node)
{
    enum { FIFTY_NEAR = 90 };
    return !node->is_pv && frame->excluded == MOVE_NONE && node->tt.depth >= node->depth &&
           worker->pos.halfmove_clock < FIFTY_NEAR &&
           tt_answers(&node->tt, node->alpha, node->beta);
}

/* A quiet move that the table knows to refute this node deserves its history. */
static void praise_table_move(Worker *worker, const Frame *frame, const Node *node)
{
    Move m = node->tt.move;
    if (m == MOVE_NONE || !move_is_quiet(m) || node->tt.score < node->beta ||
        !position_is_pseudo_legal(&worker->pos, m))
        return;
    const HistoryView view = worker_history(worker, frame);
    history_update_quiet(&view, &worker->pos, m,
                         margin_history_bonus(params_of(worker), node->depth));
}

/* What the tables say settles the node where it lies outside of the window; inside, on a principal
 * variation, it limits what the search may find. */
static bool tables_settle(Worker *worker, Frame *frame, Node *node, int *score)
{
    ScoreBound bound;
    if (frame->excluded != MOVE_NONE || !worker_probe_tables(worker, frame, score, &bound))
        return false;
    bool settled = bound == BOUND_EXACT ||
                   (bound == BOUND_LOWER ? *score >= node->beta : *score <= node->alpha);
    if (settled) {
        const TtEntry entry = { .score = *score,
                                .eval = SCORE_NONE,
                                .depth = min_of(node->depth + 6, MAX_PLY - 1),
                                .bound = bound,
                                .was_pv = frame->was_pv };
        tt_store(worker->search->tt, worker->pos.key, frame->ply, &entry);
        return true;
    }
    if (bound == BOUND_LOWER) {
        node->best_score = *score;
        node->alpha = max_of(node->alpha, *score);
    } else {
        node->best_possible = *score;
    }
    return false;
}

/* A quiet move after which the evaluation rose was a good one, whatever the search will say. */
static void credit_last_move(Worker *worker, const Frame *frame)
{
    enum { CREDIT_MAX = 1500 };
    const Frame *before = frame - 1;
    int scale = params_of(worker)->eval_history_scale;
    if (!scale || before->move == MOVE_NONE || !move_is_quiet(before->move) ||
        before->eval == SCORE_NONE)
        return;
    int rise = -(frame->eval + before->eval);
    history_update_made(&worker->history, worker->pos.side_to_move ^ 1, before->threats,
                        before->move, max_of(min_of(scale * rise, CREDIT_MAX), -CREDIT_MAX));
}

static void judge_statically(Worker *worker, Frame *frame, Node *node)
{
    if (frame->in_check) {
        frame->eval = node->raw_eval = node->estimate = SCORE_NONE;
        return;
    }
    if (frame->excluded != MOVE_NONE) { /* judged already, by the call that tests the move */
        node->raw_eval = SCORE_NONE;    /* nothing will be stored */
        node->estimate = frame->eval;
    } else {
        node->raw_eval = node->tt.eval != SCORE_NONE ? node->tt.eval : worker_evaluate(worker);
        frame->eval = worker_correct(worker, frame, node->raw_eval);
        credit_last_move(worker, frame);
        bool use_table = tt_improves(&node->tt, frame->eval) && !score_is_decided(node->tt.score);
        node->estimate = use_table ? node->tt.score : frame->eval;
    }
    int before = frame[-2].eval != SCORE_NONE ? frame[-2].eval : frame[-4].eval;
    node->improving =
        params_of(worker)->improving && (before == SCORE_NONE || frame->eval > before);
}

/* Without a move from the table the order is poor: cheaper to come back with one. */
static void reduce_without_table_move(const Worker *worker, const Frame *frame, Node *node)
{
    if (node->depth >= params_of(worker)->iir_depth && node->tt.move == MOVE_NONE &&
        frame->excluded == MOVE_NONE && (node->is_pv || node->kind == NODE_CUT))
        node->depth--;
}

/* How much shallower to look at the move first, in plies; it may be negative. */
static int late_move_reduction(const Worker *worker, const Frame *frame, const Node *node,
                               int history, bool quiet, Move m)
{
    const Params *p = params_of(worker);
    int r = margin_reduction(p, node->depth, node->move_number);
    if (!quiet)
        r = r * p->lmr_noisy_scale / 100;
    if (frame->was_pv)
        r -= p->lmr_pv;
    if (node->kind == NODE_CUT)
        r += p->lmr_cut;
    if (!node->improving)
        r += p->lmr_not_improving;
    if (frame[1].in_check)
        r -= p->lmr_check;
    if (node->tt_noisy)
        r += p->lmr_tt_noisy;
    if (m == frame->killers[0] || m == frame->killers[1])
        r -= p->lmr_killer;
    if (frame[1].cutoffs > 3)
        r += p->lmr_cutoffs;
    r -= history * p->lmr_history / 1024;
    return r / 1024;
}

/* Searches the move just made: late moves reduced and with a null window first, in full only when
 * they surprise. */
static int search_child(Worker *worker, Frame *frame, const Node *node, int new_depth, int history,
                        bool quiet, Move m)
{
    Frame *child = frame + 1;
    int alpha = node->alpha;
    int score = 0;
    bool full_window = node->is_pv && node->move_number == 1;
    child->in_check = position_in_check(&worker->pos);
    if (!full_window) {
        NodeKind kind = node->kind == NODE_CUT ? NODE_ALL : NODE_CUT;
        int reduction = 0;
        if (node->depth >= params_of(worker)->lmr_depth &&
            node->move_number > 1 + (node->kind == NODE_ROOT))
            reduction = late_move_reduction(worker, frame, node, history, quiet, m);
        int depth = min_of(max_of(new_depth - reduction, 1), new_depth);
        bool reduced = depth < new_depth;
        score = -search_node(worker, child, -alpha - 1, -alpha, depth, reduced ? NODE_CUT : kind);
        if (reduced && score > alpha && !search_stopped(worker->search)) {
            const Params *p = params_of(worker);
            int deeper = score > node->best_score + p->lmr_deeper_margin;
            int shallower = score < node->best_score + 8;
            int again = new_depth + p->lmr_adjust * (deeper - shallower);
            if (again > depth)
                score = -search_node(worker, child, -alpha - 1, -alpha, again, kind);
        }
        full_window =
            node->is_pv && score > alpha && (node->kind == NODE_ROOT || score < node->beta);
    }
    if (full_window && !search_stopped(worker->search))
        score = -search_node(worker, child, -node->beta, -alpha, new_depth, NODE_PV);
    return score;
}

/* The root keeps, for each move, its score and line. */
static void note_root_move(Worker *worker, const Node *node, RootMove *root, int score,
                           uint64_t nodes)
{
    root->nodes += nodes;
    if (node->move_number > 1 && score <= node->alpha) {
        root->score = -SCORE_INFINITE; /* not better: its exact score is unknown */
        return;
    }
    const Line *below = &worker_root_frame(worker)[1].line;
    root->score = score;
    root->bound = score <= node->alpha  ? BOUND_UPPER
                  : score >= node->beta ? BOUND_LOWER
                                        : BOUND_EXACT;
    root->seldepth = worker->seldepth;
    root->line.length = 1;
    for (int i = 0; i < below->length && root->line.length < MAX_PLY; i++)
        root->line.moves[root->line.length++] = below->moves[i];
}

static Move next_move(const Worker *worker, Node *node, Picker *picker)
{
    if (node->kind != NODE_ROOT)
        return picker_next(picker);
    if (node->next_root == worker->root_count)
        return MOVE_NONE;
    return worker->root[node->next_root++].move;
}

static void blame(Worker *worker, const HistoryView *view, const Tried *quiets,
                  const Tried *noisies, const Node *node)
{
    int malus = -margin_history_malus(params_of(worker), node->depth);
    if (move_is_quiet(node->best_move))
        for (int i = 0; i < quiets->count; i++)
            history_update_quiet(view, &worker->pos, quiets->moves[i], malus);
    for (int i = 0; i < noisies->count; i++)
        history_update_noisy(view->history, &worker->pos, noisies->moves[i], malus);
}

/* The best move is remembered as good, those tried before it as bad. */
static void learn_from_best(Worker *worker, Frame *frame, const Node *node, const HistoryView *view,
                            const Tried *quiets, const Tried *noisies)
{
    Move m = node->best_move;
    int bonus = margin_history_bonus(params_of(worker), node->depth);
    if (node->best_score >= node->beta)
        frame->cutoffs++;
    if (move_is_quiet(m)) {
        if (frame->killers[0] != m) {
            frame->killers[1] = frame->killers[0];
            frame->killers[0] = m;
        }
        history_update_quiet(view, &worker->pos, m, bonus);
    } else {
        history_update_noisy(view->history, &worker->pos, m, bonus);
    }
    blame(worker, view, quiets, noisies, node);
}

static void note_tried(Tried *tried, Move m)
{
    if (tried->count < TRIED_MAX)
        tried->moves[tried->count++] = m;
}

/* True when the move's score ends the node. */
static bool take_score(Frame *frame, Node *node, Move m, int score)
{
    if (score <= node->best_score)
        return false;
    node->best_score = score;
    if (score <= node->alpha)
        return false;
    node->best_move = m;
    if (node->is_pv && node->kind != NODE_ROOT)
        frame_set_line(frame, m);
    if (score >= node->beta)
        return true;
    node->alpha = score;
    return false;
}

static void search_moves(Worker *worker, Frame *frame, Node *node)
{
    const HistoryView view = worker_history(worker, frame);
    frame->threats = view.threats;
    Tried quiets = { 0 };
    Tried noisies = { 0 };
    Picker picker;
    if (node->kind != NODE_ROOT)
        picker_init(&picker, &worker->pos, &view, node->tt.move, frame->killers);
    node->next_root = worker->line_index;

    for (Move m; (m = next_move(worker, node, &picker)) != MOVE_NONE;) {
        if (m == frame->excluded)
            continue;
        node->move_number++;
        if (node->kind != NODE_ROOT && prune_move(worker, frame, node, &view, &picker, m))
            continue;

        bool quiet = move_is_quiet(m);
        int extension;
        int cut_score;
        bool cuts = extend_move(worker, frame, node, m, &extension, &cut_score);
        if (search_stopped(worker->search))
            return;
        if (cuts) {
            node->best_score = cut_score;
            return;
        }
        int history =
            quiet ? history_quiet(&view, &worker->pos, m) : history_noisy(&view, &worker->pos, m);
        frame[1].double_extends = frame->double_extends + (extension > 1);

        uint64_t nodes_before = worker_nodes(worker);
        worker_make(worker, frame, m);
        int score =
            search_child(worker, frame, node, node->depth - 1 + extension, history, quiet, m);
        worker_unmake(worker, frame);
        if (search_stopped(worker->search))
            return;

        if (node->kind == NODE_ROOT)
            note_root_move(worker, node, &worker->root[node->next_root - 1], score,
                           worker_nodes(worker) - nodes_before);
        if (take_score(frame, node, m, score)) {
            learn_from_best(worker, frame, node, &view, &quiets, &noisies);
            return;
        }
        if (m != node->best_move)
            note_tried(quiet ? &quiets : &noisies, m);
    }
    if (node->move_number == 0) /* mate, stalemate, or nothing but the excluded move */
        node->best_score = frame->excluded != MOVE_NONE ? node->alpha
                           : frame->in_check            ? -SCORE_MATE + frame->ply
                                                        : worker_draw_score(worker);
    else if (node->best_score == -SCORE_INFINITE)
        node->best_score = node->alpha; /* everything was pruned */
    else if (node->best_move != MOVE_NONE)
        learn_from_best(worker, frame, node, &view, &quiets, &noisies);
}

/* The evaluation was off where a quiet position's score lies beyond it, bounds considered. */
static void learn_correction(Worker *worker, const Frame *frame, const Node *node)
{
    int score = node->best_score;
    bool is_quiet = node->best_move == MOVE_NONE || move_is_quiet(node->best_move);
    bool failed_high = score >= node->beta;
    bool failed_low = score <= node->first_alpha;
    if (frame->in_check || !is_quiet || score_is_decided(score) ||
        (failed_high && score <= frame->eval) || (failed_low && score >= frame->eval))
        return;
    enum { STEP = CORRECTION_MAX / 4 };
    int bonus = (score - frame->eval) * node->depth / 8;
    history_update_correction(&worker->history, &worker->pos, &frame->keys,
                              max_of(min_of(bonus, STEP), -STEP));
}

static void remember(Worker *worker, const Frame *frame, const Node *node)
{
    if (frame->excluded != MOVE_NONE || (node->kind == NODE_ROOT && worker->line_index > 0))
        return; /* not the position's own score */
    learn_correction(worker, frame, node);
    const TtEntry entry = {
        .move = node->best_move,
        .score = node->best_score,
        .eval = node->raw_eval,
        .depth = node->depth,
        .bound = node->best_score >= node->beta         ? BOUND_LOWER
                 : node->best_score > node->first_alpha ? BOUND_EXACT
                                                        : BOUND_UPPER,
        .was_pv = frame->was_pv,
    };
    tt_store(worker->search->tt, worker->pos.key, frame->ply, &entry);
}

int search_node(Worker *worker, Frame *frame, int alpha, int beta, int depth, NodeKind kind)
{
    if (depth <= 0)
        return search_quiescence(worker, frame, alpha, beta, kind);
    if (worker_must_stop(worker))
        return SCORE_DRAW;
    worker_enter(worker, frame);
    Node node = {
        .kind = kind,
        .is_pv = kind == NODE_PV || kind == NODE_ROOT,
        .alpha = alpha,
        .beta = beta,
        .depth = min_of(depth, MAX_PLY - 1),
        .best_score = -SCORE_INFINITE,
        .best_possible = SCORE_INFINITE,
    };
    frame[2].cutoffs = 0;
    if (kind != NODE_ROOT) {
        if (worker_is_draw(worker, frame))
            return worker_draw_score(worker);
        if (frame->ply >= MAX_PLY)
            return frame->in_check ? SCORE_DRAW : worker_evaluate(worker);
        if (mate_distance_closes(frame, &node))
            return node.alpha;
    }
    node.first_alpha = node.alpha;

    node.tt = tt_probe(worker->search->tt, worker->pos.key, frame->ply);
    if (table_cuts(worker, frame, &node)) {
        praise_table_move(worker, frame, &node);
        return node.tt.score;
    }
    node.tt_noisy = node.tt.move != MOVE_NONE && !move_is_quiet(node.tt.move);
    if (frame->excluded == MOVE_NONE)
        frame->was_pv = node.is_pv || node.tt.was_pv;

    int score;
    if (kind != NODE_ROOT && tables_settle(worker, frame, &node, &score))
        return score;
    judge_statically(worker, frame, &node);
    if (prune_node(worker, frame, &node, &score))
        return score;
    if (search_stopped(worker->search))
        return SCORE_DRAW;
    reduce_without_table_move(worker, frame, &node);
    search_moves(worker, frame, &node);
    node.best_score = min_of(node.best_score, node.best_possible);
    if (!search_stopped(worker->search))
        remember(worker, frame, &node);
    return node.best_score;
}
