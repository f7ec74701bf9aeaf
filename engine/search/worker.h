/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.h - one search thread's state, and the small steps that every kind of node takes: making
 * moves, counting nodes, seeing draws, evaluating, checking whether the search must end. Internal
 * to engine/search. A Worker belongs to its thread while a search runs; what others may read
 * meanwhile is atomic. */
#pragma once
#include "engine/eval/evaluation.h"
#include "engine/core/variant_rules.h"
#include "engine/search/engine.h"
#include "engine/search/strength_limit.h"
#include "engine/search/history.h"
#include "engine/search/params.h"
#include "engine/search/search_rules.h"
#include "engine/search/timeman.h"
#include "engine/search/tt.h"

#include <stdatomic.h>

/* A principal variation from a node on. */
typedef struct {
    int length;
    Move moves[MAX_PLY];
} PvLine;

/* A move at the root and what is known about it. */
typedef struct {
    Move move;
    int score;         /* of this iteration; -SCORE_INFINITE while not searched or proven worse */
    int last_score;    /* of the iteration before */
    int glance_score;  /* of the first iteration; -SCORE_INFINITE when that proved it worse */
    int average_score; /* of the complete iterations, the newest counts half, the one before a
                          quarter; -SCORE_INFINITE before the first */
    ScoreBound bound;
    int seldepth;
    uint64_t nodes; /* spent below it in the whole search */
    PvLine pv;      /* begins with `move` */
} RootMove;

/* The move's newest score: this iteration's, or where it has none yet, the last one's. */
static inline int root_move_score(const RootMove *root)
{
    return root->score != -SCORE_INFINITE ? root->score : root->last_score;
}

/* The search stack: one entry for each ply of the line that a thread is searching. The current
 * ply's entry is called `ss`, its neighbours ss[-1] and ss[1]. */
typedef struct {
    int ply;
    Move move;     /* made here, MOVE_NONE for a null move */
    Move excluded; /* not searched: the singular search tests it */
    Move killers[2];
    bool in_check; /* or bound to capture, or threatened with the end: no move may be left out, and
                      to stand pat is no choice */
    bool tt_pv;
    int static_eval;                   /* corrected static evaluation, or SCORE_NONE in check */
    int cutoff_count;                  /* beta cut-offs among the children */
    int double_extensions;             /* on the path from the root */
    ContinuationHistory *continuation; /* moves that follow `move` */
    Bitboard threats;                  /* movegen_threats() here, once a quiet move is tried */
    PieceKeys keys;                    /* of the position here */
    int move_count;                    /* of `move`, among those tried here */
    Undo undo;
    PvLine pv; /* the best line found from this ply on */
} SearchStack;

/* Entries before the root: continuation histories and node.h's `improving` look four plies back. */
enum { STACK_BEFORE_ROOT = 4 };

typedef struct Search Search;

typedef struct {
    Search *search;
    const SearchRules *rules; /* of the position's ruleset */
    int index;                /* 0 is the main thread */
    Position pos;
    _Atomic uint64_t nodes;
    _Atomic uint64_t tablebase_hits;
    int seldepth;
    int poll_countdown; /* nodes until the next look at the clock */
    int null_min_ply;   /* no null moves above this ply: a verification runs */
    int root_depth;
    int root_window; /* beta - alpha of the root in this iteration */
    int completed_depth;
    int pv_index;          /* MultiPV line in work, 0-based */
    int best_move_changes; /* in this iteration: later root moves that proved better */
    int root_count;
    int root_eval; /* static evaluation, whether in check or not */
    RootMove root[MAX_MOVES];
    SearchStack stack[STACK_BEFORE_ROOT + MAX_PLY + 4];
    History history;
    Evaluator evaluator;
} Worker;

/* Small machines play many games. Root moves and accumulators take memory only as far as there are
 * any. */
static_assert(sizeof(Worker) <= (4 << 20), "a thread takes at most 4 MiB");
static_assert(ACCUMULATOR_ENTRIES > MAX_PLY + 1, "every ply of a search has its accumulators");

/* What the threads of one search share. Written before they start, but for the atomics. */
struct Search {
    Tt *tt;
    Params params; /* read through worker_params() */
    SearchLimits limits;
    SearchCallbacks callbacks;
    int multi_pv;
    StrengthLimit strength_limit; /* holds when limits.elo is set */
    int64_t overhead_ms;
    Networks networks;
    Tablebase *tablebase;         /* NULL: none, or not needed below the root */
    int root_tablebase_score;     /* or SCORE_NONE */
    int tablebase_pieces;         /* positions with more pieces are not probed */
    int draw_score[COLOUR_COUNT]; /* what a draw is worth to each side, by the contempt */
    uint64_t tt_salt; /* searches with another worth of a draw find none of each other's results */
    int64_t start_us;
    int last_move_score;     /* what the search for our last move ended with, or SCORE_NONE */
    TimeBudget budget;       /* holds when `timed` */
    _Atomic bool timed;      /* by clock or time per move; false once that limit is off */
    _Atomic int64_t soft_ms; /* the soft limit as the last iteration scaled it */
    _Atomic bool pondering;
    _Atomic bool stop;
    int worker_count;
    Worker **workers;
};

static inline const Params *worker_params(const Worker *worker)
{
    return params_in_use(&worker->search->params);
}

static inline SearchStack *worker_root_ss(Worker *worker)
{
    return &worker->stack[STACK_BEFORE_ROOT];
}

/* Sets up zeroed memory as a worker of `search`; 0 is the main thread's index. */
void worker_init(Worker *worker, Search *search, int index);

/* Prepares the worker for a search of `pos`, with these root moves. */
void worker_prepare(Worker *worker, const Position *pos, const MoveList *root_moves);

/* Clears the histories. */
void worker_clear(Worker *worker);

/* The histories as seen from `ss`. */
HistoryView worker_history(Worker *worker, const SearchStack *ss);

/* Has memory fetch what the transposition table holds of the position after a legal move: to be
 * called as soon as the move is known, well before worker_make(). */
void worker_foretell(const Worker *worker, Move m);

/* Makes and unmakes a legal move at `ss`; each move made counts as one node. The entry of the next
 * ply is set up from `ss`, and from nowhere else. */
void worker_make(Worker *worker, SearchStack *ss, Move m);
void worker_unmake(Worker *worker, SearchStack *ss);
void worker_make_null(Worker *worker, SearchStack *ss);
void worker_unmake_null(Worker *worker, SearchStack *ss);

/* Plies towards the fifty-move draw; 0 where the rules know none. */
static inline int worker_halfmoves(const Worker *worker)
{
    const Position *pos = &worker->pos;
    return position_is_chess(pos) || variant_rules(pos)->draws_by_clock ? pos->halfmove_clock : 0;
}

/* Antichess: has a side that cannot move won? */
static inline bool worker_wins_without_move(const Worker *worker)
{
    const Position *pos = &worker->pos;
    return !position_is_chess(pos) && variant_rules(pos)->wins_without_move;
}

/* Does some rule of the variant's own, mate aside, end the game at `ss`, or can the side to move
 * end it in its favour with its next move? True and the score. Asked before all other rules. */
bool worker_variant_end(Worker *worker, const SearchStack *ss, int *score);
bool worker_variant_wins(Worker *worker, const SearchStack *ss, int *score);

/* Did the worker finish an iteration? */
static inline bool worker_has_result(const Worker *worker)
{
    return worker->completed_depth > 0;
}

static inline uint64_t worker_nodes(const Worker *worker)
{
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

/* Nodes, tablebase hits of all threads of the search. */
uint64_t search_nodes(const Search *search);
uint64_t search_tablebase_hits(const Search *search);

static inline bool search_stopped(const Search *search)
{
    return atomic_load_explicit(&search->stop, memory_order_relaxed);
}

static inline void search_stop(Search *search)
{
    atomic_store_explicit(&search->stop, true, memory_order_relaxed);
}

/* Milliseconds since the search began. */
int64_t search_clock_ms(const Search *search);

/* The main thread's part of worker_must_stop(). */
bool worker_check_limits(Worker *worker);

/* True once the search must end. Called at every node; checks the node count each time and the
 * clock every few hundred nodes. */
static inline bool worker_must_stop(Worker *worker)
{
    const Search *search = worker->search;
    if (search_stopped(search))
        return true;
    return worker->index == 0 && (--worker->poll_countdown <= 0 || search->limits.nodes) &&
           worker_check_limits(worker);
}

/* Where the transposition table holds results for the position with this key. */
static inline uint64_t search_tt_key(const Search *search, uint64_t position_key)
{
    return position_key ^ search->tt_salt;
}

/* What the transposition table knows about the position at `ss`, on this path. */
static inline TtEntry worker_probe(const Worker *worker, const SearchStack *ss)
{
    const Search *search = worker->search;
    TtEntry entry = tt_probe(search->tt, search_tt_key(search, worker->pos.key), ss->ply);
    entry.score = score_before_fifty_moves(entry.score, ss->ply, 100 - worker_halfmoves(worker));
    return entry;
}

/* Stores a result for the position at `ss` in the transposition table. */
static inline void worker_store(Worker *worker, const SearchStack *ss, const TtEntry *entry)
{
    const Search *search = worker->search;
    tt_store(search->tt, worker_params(worker), search_tt_key(search, worker->pos.key), ss->ply,
             entry);
}

/* What a capture takes off the board is worth, in centipawns; twice that where it comes to hand. */
int worker_victim_value(const Worker *worker, Move m);

/* Static evaluation for the side to move, within ±EVAL_LIMIT. Not in check. */
int worker_evaluate(Worker *worker);

/* The static evaluation plus the correction from searches of similar positions. */
int worker_correct_eval(Worker *worker, const SearchStack *ss, int eval);

/* The search found the static evaluation at `ss` to be off; bonus within ±CORRECTION_MAX. */
void worker_update_correction(Worker *worker, const SearchStack *ss, int bonus);

/* Probes the tablebases where they apply: few pieces, no castling rights, the fifty-move counter at
 * zero. The tables with the most pieces, which may have to come from the disk, are spared where the
 * `depth` left is less than two plies. True, *score and *bound on a hit. */
bool worker_probe_tablebases(Worker *worker, const SearchStack *ss, int depth, int *score,
                             ScoreBound *bound);

/* Is the position a draw by repetition, fifty moves or material? A position that came up since the
 * root counts at once: what was repeated once can be repeated again. */
bool worker_is_draw(const Worker *worker, const SearchStack *ss);

/* A draw's worth to the side to move, one centipawn off at random, so that the search tries more
 * than one way to a repetition. */
static inline int worker_draw_score(const Worker *worker)
{
    return worker->search->draw_score[worker->pos.side_to_move] - 1 +
           (int)(worker_nodes(worker) & 2);
}

/* The principal variation of `ss` becomes `m` and that of the next ply. */
void pv_update(SearchStack *ss, Move m);
