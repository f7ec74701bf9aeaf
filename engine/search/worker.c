/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/worker.h"

#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/core/outcome.h"
#include "engine/eval/material_rules.h"
#include "engine/search/margins.h"
#include "engine/search/see.h"

#include <string.h>

/* Nodes between two looks at the clock: well below a millisecond. */
enum { POLL_NODES = 512 };

static void count_node(Worker *worker)
{
    /* Only this thread writes, so load and store need not be one step. */
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
}

void worker_init(Worker *worker, Search *search, int index)
{
    worker->search = search;
    worker->index = index;
}

/* Bound to capture, or about to lose by the variant's own rule. */
static bool is_pressed_by_rules(const Worker *worker)
{
    const Position *pos = &worker->pos;
    const SearchRules *rules = worker->rules;
    return variant_forces_capture(pos) ||
           (rules->is_threatened && worker_params(worker)->rule_threats &&
            variant_end(pos) == VARIANT_GOES_ON && rules->is_threatened(pos));
}

static bool is_pressed(const Worker *worker)
{
    const Position *pos = &worker->pos;
    return position_in_check(pos) || (!position_is_chess(pos) && is_pressed_by_rules(worker));
}

void worker_prepare(Worker *worker, const Position *pos, const MoveList *root_moves)
{
    worker->pos = *pos;
    worker->rules = &search_rules_table[pos->ruleset];
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&worker->tablebase_hits, 0, memory_order_relaxed);
    worker->seldepth = 0;
    worker->poll_countdown = POLL_NODES;
    worker->null_min_ply = 0;
    worker->root_depth = 0;
    worker->root_window = 1;
    worker->completed_depth = 0;
    worker->pv_index = 0;
    worker->best_move_changes = 0;
    worker->root_count = root_moves->count;
    for (int i = 0; i < root_moves->count; i++) {
        RootMove *root = &worker->root[i];
        root->move = root_moves->moves[i];
        root->score = root->last_score = -SCORE_INFINITE;
        root->glance_score = root->average_score = -SCORE_INFINITE;
        root->bound = BOUND_EXACT;
        root->seldepth = 0;
        root->nodes = 0;
        root->pv.length = 1;
        root->pv.moves[0] = root->move;
    }
    int entries = (int)(sizeof worker->stack / sizeof *worker->stack);
    for (int i = 0; i < entries; i++) {
        SearchStack *ss = &worker->stack[i];
        ss->ply = i - STACK_BEFORE_ROOT;
        ss->move = ss->excluded = MOVE_NONE;
        ss->killers[0] = ss->killers[1] = MOVE_NONE;
        ss->in_check = ss->tt_pv = false;
        ss->static_eval = SCORE_NONE;
        ss->cutoff_count = ss->double_extensions = ss->move_count = 0;
        ss->continuation = &worker->history.continuation[CONTINUATION_NONE];
        ss->pv.length = 0;
    }
    worker_root_ss(worker)->keys = piece_keys_of(pos);
    worker_root_ss(worker)->in_check = is_pressed(worker);
    evaluator_reset(&worker->evaluator, &worker->search->networks, pos);
    worker->root_eval = evaluate(&worker->evaluator, pos);
}

void worker_clear(Worker *worker)
{
    history_clear(&worker->history);
}

HistoryView worker_history(Worker *worker, const SearchStack *ss)
{
    return (HistoryView){
        .history = &worker->history,
        .params = &worker->search->params,
        .continuation = { ss[-1].continuation, ss[-2].continuation, ss[-4].continuation },
    };
}

/* Sets up the next ply's entry after a move or a null move at `ss`. */
static void enter_child(Worker *worker, const SearchStack *ss, SearchStack *child)
{
    child->in_check = is_pressed(worker);
    child->double_extensions = ss->double_extensions;
    child->pv.length = 0;
    worker->seldepth = int_max(worker->seldepth, child->ply);
    count_node(worker);
}

/* A drop, an explosion, a promotion to a king: all that follows the moves is set up afresh. */
static void make_beyond_chess(Worker *worker, SearchStack *ss, Move m)
{
    Position *pos = &worker->pos;
    ss->move = m;
    ss->continuation =
        history_continuation_after(&worker->history, position_moved_piece(pos, m), move_to(m));
    position_make(pos, m, &ss->undo);
    ss[1].keys = piece_keys_of(pos);
    evaluator_push_unknown(&worker->evaluator);
    enter_child(worker, ss, ss + 1);
}

void worker_foretell(const Worker *worker, Move m)
{
    const Position *pos = &worker->pos;
    if (!move_is_drop(m))
        tt_prefetch(worker->search->tt, search_tt_key(worker->search, change_key_hint(pos, m)));
}

void worker_make(Worker *worker, SearchStack *ss, Move m)
{
    Position *pos = &worker->pos;
    if (!change_describes(pos, m)) {
        make_beyond_chess(worker, ss, m);
        return;
    }
    const Change change = change_of(pos, m);
    ss->move = m;
    ss->continuation =
        history_continuation_after(&worker->history, pos->board[move_from(m)], move_to(m));
    ss[1].keys = piece_keys_after(&ss->keys, &change);
    evaluator_push(&worker->evaluator, &change);
    position_make(pos, m, &ss->undo);
    enter_child(worker, ss, ss + 1);
}

void worker_unmake(Worker *worker, SearchStack *ss)
{
    position_unmake(&worker->pos, ss->move, &ss->undo);
    evaluator_pop(&worker->evaluator);
}

void worker_make_null(Worker *worker, SearchStack *ss)
{
    ss->move = MOVE_NONE;
    ss->continuation = &worker->history.continuation[CONTINUATION_NONE];
    ss[1].keys = ss->keys;
    position_make_null(&worker->pos, &ss->undo);
    tt_prefetch(worker->search->tt, search_tt_key(worker->search, worker->pos.key));
    enter_child(worker, ss, ss + 1);
}

void worker_unmake_null(Worker *worker, SearchStack *ss)
{
    position_unmake_null(&worker->pos, &ss->undo);
}

uint64_t search_nodes(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->worker_count; i++)
        sum += worker_nodes(search->workers[i]);
    return sum;
}

uint64_t search_tablebase_hits(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->worker_count; i++)
        sum += atomic_load_explicit(&search->workers[i]->tablebase_hits, memory_order_relaxed);
    return sum;
}

int64_t search_clock_ms(const Search *search)
{
    if (search->limits.nodes_per_ms)
        return (int64_t)(search_nodes(search) / search->limits.nodes_per_ms);
    return (clock_now_us() - search->start_us) / 1000;
}

static bool out_of_time(const Search *search)
{
    return search->timed && !atomic_load_explicit(&search->pondering, memory_order_relaxed) &&
           search_clock_ms(search) >= search->budget.hard_ms;
}

static bool out_of_nodes(const Worker *worker)
{
    const Search *search = worker->search;
    if (!search->limits.nodes)
        return false;
    uint64_t nodes =
        search->worker_count == 1 ? worker_nodes(worker) : search_nodes(worker->search);
    return nodes >= search->limits.nodes;
}

bool worker_check_limits(Worker *worker)
{
    Search *search = worker->search;
    if (out_of_nodes(worker)) {
        search_stop(search);
        return true;
    }
    if (worker->poll_countdown > 0)
        return false;
    worker->poll_countdown = POLL_NODES;
    if (out_of_time(search))
        search_stop(search);
    return search_stopped(search);
}

int worker_victim_value(const Worker *worker, Move m)
{
    PieceType victim = move_is_en_passant(m) ? PAWN : piece_type(worker->pos.board[move_to(m)]);
    return see_value[victim] << worker->rules->is_material_double;
}

static int clamp_eval(int eval)
{
    return int_clamp(eval, -EVAL_LIMIT, EVAL_LIMIT);
}

int worker_evaluate(Worker *worker)
{
    const SearchCallbacks *callbacks = &worker->search->callbacks;
    if (callbacks->on_evaluate)
        callbacks->on_evaluate(callbacks->user, &worker->pos);
    const Position *pos = &worker->pos;
    int material = position_is_chess(pos)
                       ? material_of_pieces(pos, WHITE) + material_of_pieces(pos, BLACK)
                       : MARGIN_MATERIAL; /* measured in chess alone */
    return clamp_eval(margin_eval(worker_params(worker), evaluate(&worker->evaluator, pos),
                                  material, worker_halfmoves(worker)));
}

int worker_correct_eval(Worker *worker, const SearchStack *ss, int eval)
{
    const Params *p = worker_params(worker);
    const CorrectionWeights weights = { p->correction_pawn, p->correction_minor,
                                        p->correction_major, p->correction_pieces };
    return clamp_eval(eval +
                      history_correction(&worker->history, &worker->pos, &ss->keys, &weights));
}

void worker_update_correction(Worker *worker, const SearchStack *ss, int bonus)
{
    history_update_correction(&worker->history, &worker->pos, &ss->keys, bonus);
}

bool worker_probe_tablebases(Worker *worker, const SearchStack *ss, int depth, int *score,
                             ScoreBound *bound)
{
    enum { LARGEST_TABLES_DEPTH = 2 };
    Search *search = worker->search;
    Position *pos = &worker->pos;
    TablebaseValue value;
    int spared = depth < LARGEST_TABLES_DEPTH;
    if (!search->tablebase || bitboard_count(pos->occupied) > search->tablebase_pieces - spared ||
        pos->castling || pos->halfmove_clock ||
        !tablebase_probe_wdl(search->tablebase, pos, &value))
        return false;
    atomic_fetch_add_explicit(&worker->tablebase_hits, 1, memory_order_relaxed);
    /* WDL values hold no distance to mate; cursed ones score just off a draw. A draw of the tables
     * is one as good as any other, contempt included. */
    if (value == TABLEBASE_WIN) {
        *score = SCORE_TABLEBASE - ss->ply;
        *bound = BOUND_LOWER;
    } else if (value == TABLEBASE_LOSS) {
        *score = -SCORE_TABLEBASE + ss->ply;
        *bound = BOUND_UPPER;
    } else {
        *score = search->draw_score[pos->side_to_move] + value;
        *bound = BOUND_EXACT;
    }
    return true;
}

static uint64_t key_before(const Position *pos, uint32_t plies)
{
    return pos->keys[(pos->ply - plies) % POSITION_KEY_RING];
}

static bool is_repetition(const Position *pos, int ply)
{
    uint32_t reach = position_repetition_reach(pos);
    bool seen_before_root = false;
    for (uint32_t back = 4; back <= reach; back += 2) {
        if (key_before(pos, back) != pos->key)
            continue;
        if (back < (uint32_t)ply || seen_before_root)
            return true;
        seen_before_root = true;
    }
    return false;
}

static bool is_fifty_moves(const Worker *worker)
{
    const Position *pos = &worker->pos;
    return worker_halfmoves(worker) >= 100 && (!position_in_check(pos) || movegen_count(pos) > 0);
}

bool worker_is_draw(const Worker *worker, const SearchStack *ss)
{
    const Position *pos = &worker->pos;
    return is_repetition(pos, ss->ply) || is_fifty_moves(worker) ||
           position_insufficient_material(pos);
}

bool worker_variant_end(Worker *worker, const SearchStack *ss, int *score)
{
    switch (variant_end(&worker->pos)) {
    case VARIANT_GOES_ON:
        return false;
    case VARIANT_WON:
        *score = SCORE_MATE - ss->ply;
        return true;
    case VARIANT_LOST:
        *score = -SCORE_MATE + ss->ply;
        return true;
    case VARIANT_DRAWN:
        *score = worker_draw_score(worker);
        return true;
    }
    return false;
}

bool worker_variant_wins(Worker *worker, const SearchStack *ss, int *score)
{
    if (!worker->rules->wins_at_once || !worker_params(worker)->rule_wins ||
        !worker->rules->wins_at_once(&worker->pos))
        return false;
    *score = SCORE_MATE - ss->ply - 1;
    return true;
}

void pv_update(SearchStack *ss, Move m)
{
    const PvLine *below = &ss[1].pv;
    ss->pv.moves[0] = m;
    int length = int_min(below->length, MAX_PLY - 1);
    memcpy(ss->pv.moves + 1, below->moves, (size_t)length * sizeof(Move));
    ss->pv.length = length + 1;
}
