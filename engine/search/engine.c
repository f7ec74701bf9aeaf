/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/engine.h"

#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/pages.h"
#include "engine/base/random.h"
#include "engine/core/bitboard.h"
#include "engine/core/fen.h"
#include "engine/eval/kernels.h"
#include "engine/human/policy_network.h"
#include "engine/search/human_choice.h"
#include "engine/search/iterative_deepening.h"
#include "engine/search/pool.h"
#include "engine/search/root.h"
#include "engine/search/vote.h"
#include "engine/search/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Engine {
    EngineOptions options;
    Position pos;
    Search search;
    Network built_in[RULESET_COUNT]; /* views */
    Networks built_ins;              /* those of them that there are */
    Tt *own_tt;                      /* NULL: the one in use is lent */
    int worker_count;                /* that exist; a search may use fewer */
    Pool *pool;
    bool is_clearing;  /* what the pool is started for; else a search */
    uint64_t last_key; /* of the position that was searched for a move last, in `Position.keys` */
    int last_score;    /* of that move, or SCORE_NONE */
    HumanHistory history;   /* that `pos` is the newest of */
    PolicyRoom *human_room; /* for options.human, or NULL */
    HumanLimit human_limit; /* of the search for a person's move */
    int human_elo;          /* whose move it is to be; 0: not said */
    PolicyVerdict human_verdict;
    MoveList root_moves;
    bool must_rank;                     /* root moves by the tablebases, before the search */
    TablebaseVerdict tablebase_verdict; /* on the root moves */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* of the following, which are under `lock` */
    bool is_prepared;       /* the ranking is done */
    /* A finished search may have to hold its answer until a stop or a ponder hit. */
    bool stop_asked;
};

static void workers_free(Worker **workers, int count)
{
    for (int i = 0; workers && i < count; i++)
        pages_free(workers[i], sizeof **workers);
    free(workers);
}

static Worker **workers_new(Search *search, int count, Error *err)
{
    Worker **workers = calloc((size_t)count, sizeof *workers);
    bool ok = workers != NULL;
    for (int i = 0; i < count && ok; i++) {
        workers[i] = pages_new(sizeof **workers);
        ok = workers[i] != NULL;
        if (ok)
            worker_init(workers[i], search, i);
    }
    if (!ok) {
        error_set(err, ERR_MEMORY, "no memory for %d search threads", count);
        workers_free(workers, count);
        return NULL;
    }
    return workers;
}

/* With infinite and ponder the best move is held back until a stop or a ponder hit. */
static void wait_for_release(Engine *engine)
{
    Search *search = &engine->search;
    pthread_mutex_lock(&engine->lock);
    while (!engine->stop_asked && (search->limits.infinite ||
                                   atomic_load_explicit(&search->pondering, memory_order_relaxed)))
        pthread_cond_wait(&engine->changed, &engine->lock);
    engine->stop_asked = true; /* from here on a stop changes nothing */
    pthread_mutex_unlock(&engine->lock);
}

/* The ponder move: the second of the principal variation, else the TT move after the first. */
static Move expected_reply(const Engine *engine, const PvLine *line)
{
    if (line->length > 1)
        return line->moves[1];
    Position pos = engine->pos;
    Undo undo;
    position_make(&pos, line->moves[0], &undo);
    Move m = tt_probe(engine->search.tt, search_tt_key(&engine->search, pos.key), 0).move;
    bool usable =
        m != MOVE_NONE && variant_end(&pos) == VARIANT_GOES_ON && position_allows(&pos, m);
    return usable ? m : MOVE_NONE;
}

/* A stop may come before the first iteration ends, or before the thread woke up. The first legal
 * move may then be a blunder. A search of one ply takes less than the time that a stop is given. A
 * limit on nodes still holds. */
static void search_one_ply(Engine *engine, Worker *worker)
{
    enum { ONE_PLY_NODES = 2000 };
    Search *search = &engine->search;
    SearchLimits *limits = &search->limits;
    uint64_t most = search_nodes(search) + ONE_PLY_NODES;
    if (limits->nodes && search_nodes(search) >= limits->nodes)
        return;
    if (!limits->nodes || limits->nodes > most)
        limits->nodes = most;
    limits->depth = 1;
    atomic_store_explicit(&search->timed, false, memory_order_relaxed);
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
    iterative_deepening_run(worker);
}

enum { VARIETY_LINES = 3 };

/* Index of one of the lines that are hardly worse than the best; scores as below. */
static int choose_varied_line(const Engine *engine, const Worker *worker)
{
    const Search *search = &engine->search;
    bool is_through = worker->completed_depth == worker->root_depth;
    uint64_t seed = engine->pos.key ^ search->limits.seed;
    int count = 0, best = 0;
    for (; count < int_min(VARIETY_LINES, worker->root_count); count++) {
        const RootMove *root = &worker->root[count];
        int score = is_through ? root->score : root->last_score;
        best = count == 0 ? score : best;
        if (score == -SCORE_INFINITE || best - score > search->limits.variety_cp)
            break;
    }
    return count > 1 ? (int)random_below(&seed, (uint64_t)count) : 0;
}

/* Index of the root move to play: the first, or with limited strength one of the lines of the last
 * complete iteration, because scores of an incomplete one can't be compared. */
static int choose_line(const Engine *engine, const Worker *worker)
{
    const Search *search = &engine->search;
    bool is_through = worker->completed_depth == worker->root_depth || !worker_has_result(worker);
    StrengthLine choices[STRENGTH_LIMIT_LINES];
    int lines[STRENGTH_LIMIT_LINES] = { 0 };
    int count = 0;
    if (search->limits.variety_cp > 0 && search->limits.elo == 0 && worker_has_result(worker))
        return choose_varied_line(engine, worker);
    if (search->limits.elo == 0)
        return 0;
    for (int i = 0; i < worker->root_count && count < search->strength_limit.lines; i++) {
        const RootMove *root = &worker->root[i];
        int score = is_through ? root->score : root->last_score;
        if (score == -SCORE_INFINITE)
            continue;
        choices[count] = (StrengthLine){ score, root->glance_score };
        lines[count++] = i;
    }
    return lines[strength_limit_choose(&search->strength_limit, choices, count,
                                       engine->pos.key ^ search->limits.seed)];
}

/* The rating from which on a mate in two is not missed. */
enum { SEES_MATES_FROM = 1500 };

/* Index of the root move that a person might play, and what people think of it. */
static int choose_human_line(Engine *engine, const Worker *worker, HumanOpinion *opinion)
{
    const Search *search = &engine->search;
    PolicyVerdict *verdict = &engine->human_verdict;
    MoveList moves = { .count = worker->root_count };
    HumanMove choices[MAX_MOVES];
    for (int i = 0; i < worker->root_count; i++)
        moves.moves[i] = worker->root[i].move;
    policy_evaluate(engine->options.human, engine->human_room, &engine->history, &engine->pos,
                    &moves, engine->human_elo, verdict);
    for (int i = 0; i < moves.count; i++) {
        int score = worker->root[i].average_score;
        bool is_known = i < search->multi_pv && score != -SCORE_INFINITE;
        choices[i] = (HumanMove){ verdict->probability[i], is_known ? score : SCORE_NONE };
    }
    HumanLimit limit = human_limit_after(engine->human_limit, root_move_score(&worker->root[0]),
                                         engine->pos.halfmove_clock / 2);
    int chosen = human_choose(choices, moves.count, &limit, search->limits.human_likeliest,
                              engine->pos.key ^ search->limits.seed);
    if (engine->human_elo >= SEES_MATES_FROM && root_move_score(&worker->root[0]) >= SCORE_MATE - 3)
        chosen = 0;
    *opinion = policy_opinion(verdict, &moves, chosen);
    if (worker_has_result(worker))
        opinion->searched = worker->root[0].move;
    return chosen;
}

/* Pondering that was in vain says nothing about a move of ours. */
static void remember_score(Engine *engine, const Worker *worker)
{
    const Search *search = &engine->search;
    if (atomic_load(&search->pondering) || !worker_has_result(worker))
        return;
    engine->last_key = position_key_in_history(&engine->pos);
    engine->last_score = root_move_score(&worker->root[0]);
}

/* Known when the last search was for our move before this one: an engine may serve many games. */
static int last_move_score(const Engine *engine)
{
    const Position *pos = &engine->pos;
    bool is_same_game = pos->plies_since_null >= 2 &&
                        pos->keys[(pos->ply - 2) % POSITION_KEY_RING] == engine->last_key;
    return is_same_game ? engine->last_score : SCORE_NONE;
}

static void report_result(Engine *engine)
{
    Search *search = &engine->search;
    Worker *worker = vote_best_thread(search);
    /* The main thread has told its own lines, and no more. */
    bool is_told = worker->index == 0 && worker_has_result(worker) && !search->limits.elo &&
                   !search->limits.human;
    if (!worker_has_result(worker) && worker->root_count > 0)
        search_one_ply(engine, worker);
    SearchResult result = { .best = MOVE_NONE,
                            .ponder = MOVE_NONE,
                            .tablebase_verdict = engine->tablebase_verdict };
    remember_score(engine, worker);
    if (worker->root_count > 0) {
        int line = search->limits.human ? choose_human_line(engine, worker, &result.human)
                                        : choose_line(engine, worker);
        iterative_deepening_info(worker, line, &result.info);
        if (!is_told && search->callbacks.on_info) {
            result.info.line = 1;
            search->callbacks.on_info(search->callbacks.user, &result.info);
        }
        result.best = worker->root[line].move;
        result.ponder = expected_reply(engine, &worker->root[line].pv);
    }
    search->callbacks.on_done(search->callbacks.user, &result);
}

static void prepare_workers(Engine *engine)
{
    Search *search = &engine->search;
    for (int i = 0; i < search->worker_count; i++)
        worker_prepare(search->workers[i], &engine->pos, &engine->root_moves);
}

/* Probing may wait for the disk, and the owner's thread must not block: the first search thread
 * ranks the root moves, the others wait for it. */
static void rank_root_moves(Engine *engine, int thread)
{
    Search *search = &engine->search;
    if (thread == 0) {
        RootTablebase known =
            root_keep_tablebase_moves(&engine->root_moves, &engine->pos, search->tablebase);
        engine->tablebase_verdict = known.verdict;
        search->root_tablebase_score = known.score;
        /* Won positions below the root all score the same: with further probes the search would
         * make no progress. */
        if (known.has_distances)
            search->tablebase = NULL;
        prepare_workers(engine);
    }
    pthread_mutex_lock(&engine->lock);
    if (thread == 0) {
        engine->is_prepared = true;
        pthread_cond_broadcast(&engine->changed);
    }
    while (!engine->is_prepared)
        pthread_cond_wait(&engine->changed, &engine->lock);
    pthread_mutex_unlock(&engine->lock);
}

/* What each thread of the pool does after engine_go() and in engine_clear(). */
static void run_thread(void *context, int thread)
{
    Engine *engine = context;
    if (engine->is_clearing) {
        tt_clear_share(engine->search.tt, thread, engine->worker_count);
        worker_clear(engine->search.workers[thread]);
        return;
    }
    if (thread >= engine->search.worker_count)
        return;
    if (engine->must_rank)
        rank_root_moves(engine, thread);
    iterative_deepening_run(engine->search.workers[thread]);
    if (thread != 0)
        return;
    wait_for_release(engine);
    search_stop(&engine->search);
    pool_wait_for_others(engine->pool);
    report_result(engine);
}

bool engine_hash_new(EngineHash **out, int mib, Error *err)
{
    return tt_new(out, mib, err);
}

void engine_hash_free(EngineHash *hash)
{
    tt_free(hash);
}

Network *engine_network_new(void)
{
    return network_embedded_copy();
}

void engine_network_free(Network *network)
{
    network_free(network);
}

static void find_built_in(Engine *engine)
{
    engine->built_in[RULES_STANDARD] = network_embedded();
    engine->built_ins.of[RULES_STANDARD] = &engine->built_in[RULES_STANDARD];
    for (Ruleset r = RULES_STANDARD + 1; r < RULESET_COUNT; r++)
        if (network_embedded_of(&engine->built_in[r], r))
            engine->built_ins.of[r] = &engine->built_in[r];
}

/* True if any changes. */
static bool choose_networks(Engine *engine, const EngineOptions *options)
{
    Networks before = engine->search.networks, *now = &engine->search.networks;
    *now = engine->built_ins;
    if (options->network)
        now->of[RULES_STANDARD] = options->network;
    for (Ruleset r = RULES_STANDARD + 1; r < RULESET_COUNT; r++)
        if (options->variant_networks[r])
            now->of[r] = options->variant_networks[r];
    return memcmp(&before, now, sizeof before) != 0;
}

bool engine_new(Engine **out, const EngineOptions *options, Error *err)
{
    Engine *engine = calloc(1, sizeof *engine);
    if (!engine) {
        error_set(err, ERR_MEMORY, "no memory for an engine");
        return false;
    }
    find_built_in(engine);
    engine->last_score = SCORE_NONE;
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->changed, NULL);
    if (!engine_set_options(engine, options, err) ||
        !fen_read(&engine->pos, FEN_START, FEN_STRICT, NULL, err)) {
        engine_free(engine);
        return false;
    }
    *out = engine;
    return true;
}

void engine_free(Engine *engine)
{
    if (!engine)
        return;
    engine_stop(engine);
    pool_free(engine->pool);
    workers_free(engine->search.workers, engine->worker_count);
    tt_free(engine->own_tt);
    policy_room_free(engine->human_room);
    pthread_cond_destroy(&engine->changed);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

/* Drops evaluations by another network. They stay in a shared hash, which other engines use: they
 * are off by no more than any evaluation may be. */
static void forget_evaluations(Engine *engine)
{
    if (engine->own_tt)
        tt_clear(engine->own_tt);
    for (int i = 0; i < engine->worker_count; i++)
        worker_clear(engine->search.workers[i]);
}

bool engine_set_options(Engine *engine, const EngineOptions *options, Error *err)
{
    Search *search = &engine->search;
    bool ok = false;
    Tt *tt = NULL;
    Pool *pool = NULL;
    Worker **workers = NULL;
    PolicyRoom *room = NULL;
    bool makes_room = options->human && options->human != engine->options.human;
    bool makes_tt =
        !options->hash && (!engine->own_tt || options->hash_mib != engine->options.hash_mib);
    if (makes_tt && !tt_new(&tt, options->hash_mib, err))
        goto out;
    if (makes_room && !policy_room_new(&room, options->human, err))
        goto out;
    if (!engine->pool || options->threads != engine->options.threads) {
        workers = workers_new(search, options->threads, err);
        if (!workers || !pool_new(&pool, options->threads, run_thread, engine, err))
            goto out;
    }
    /* Nothing can fail any more: swap, so that the old objects are freed below. */
    if (makes_room || !options->human) {
        PolicyRoom *old = engine->human_room;
        engine->human_room = room;
        room = old;
    }
    if (makes_tt || options->hash) {
        Tt *old = engine->own_tt;
        engine->own_tt = tt;
        tt = old;
    }
    search->tt = options->hash ? options->hash : engine->own_tt;
    if (pool) {
        Pool *old_pool = engine->pool;
        Worker **old_workers = search->workers;
        int old_count = engine->worker_count;
        engine->pool = pool;
        search->workers = workers;
        engine->worker_count = search->worker_count = options->threads;
        pool_free(old_pool);
        workers_free(old_workers, old_count);
        pool = NULL;
        workers = NULL;
    }
    engine->options = *options;
    if (choose_networks(engine, options))
        forget_evaluations(engine);
    search->params = options->params ? *options->params : PARAMS_DEFAULT;
    engine->options.params = NULL;
    ok = true;
out:
    policy_room_free(room);
    tt_free(tt);
    workers_free(workers, options->threads);
    return ok;
}

void engine_clear(Engine *engine)
{
    pool_wait(engine->pool);
    engine->is_clearing = true;
    pool_start(engine->pool);
    pool_wait(engine->pool);
    engine->is_clearing = false;
    engine->last_score = SCORE_NONE;
}

void engine_set_position(Engine *engine, const Position *pos)
{
    engine->pos = *pos;
    human_history_init(&engine->history, pos, pos->en_passant);
}

void engine_set_history(Engine *engine, const HumanHistory *history)
{
    engine->history = *history;
}

const char *engine_kernels(void)
{
    return kernels_best()->name;
}

int engine_evaluate(Engine *engine, const Position *pos)
{
    Evaluator *evaluator = &engine->search.workers[0]->evaluator;
    evaluator_reset(evaluator, &engine->search.networks, pos);
    return evaluate(evaluator, pos);
}

/* Sets up the tablebases for the search; true if they may hold the root position. */
static bool use_tablebases(Engine *engine)
{
    Search *search = &engine->search;
    bool are_for_game = position_is_chess(&engine->pos) && !search->limits.elo;
    search->tablebase = are_for_game ? engine->options.tablebase : NULL;
    search->root_tablebase_score = SCORE_NONE;
    search->tablebase_pieces = search->tablebase ? tablebase_info(search->tablebase).max_pieces : 0;
    return bitboard_count(engine->pos.occupied) <= search->tablebase_pieces;
}

static void plan_time(Search *search, const Position *pos)
{
    const SearchLimits *limits = &search->limits;
    Colour us = pos->side_to_move;
    search->timed = limits->has_clock || limits->movetime_ms > 0;
    if (limits->has_clock) {
        const TimeControl control = {
            .time_ms = limits->time_ms[us],
            .increment_ms = limits->increment_ms[us],
            .moves_to_go = limits->moves_to_go,
            .overhead_ms = search->overhead_ms,
        };
        search->budget = timeman_plan(&search->params, &control);
        if (limits->ponders)
            search->budget = timeman_with_pondering(&search->params, &search->budget);
    }
    if (limits->movetime_ms > 0) {
        TimeBudget fixed = timeman_fixed(limits->movetime_ms, search->overhead_ms);
        if (!limits->has_clock || fixed.hard_ms < search->budget.hard_ms)
            search->budget = fixed;
    }
    if (search->timed)
        atomic_store(&search->soft_ms, search->budget.soft_ms);
}

static void apply_strength_limit(Search *search)
{
    SearchLimits *limits = &search->limits;
    search->strength_limit = strength_limit_for(limits->elo);
    search->multi_pv = search->strength_limit.lines;
    search->worker_count = 1;
    if (limits->nodes == 0 || limits->nodes > search->strength_limit.nodes)
        limits->nodes = search->strength_limit.nodes;
}

static void apply_human_limit(Engine *engine)
{
    Search *search = &engine->search;
    SearchLimits *limits = &search->limits;
    HumanPrior prior = policy_info(engine->options.human).takes_rating ? PRIOR_OF_ALL_RATINGS
                                                                       : PRIOR_OF_ONE_RATING;
    engine->human_limit =
        human_limit_in(human_limit_for(limits->elo, prior, limits->human_likeliest), &engine->pos);
    engine->human_elo = limits->elo;
    search->multi_pv = engine->human_limit.lines;
    search->worker_count = 1;
    limits->elo = 0;
    /* Also where the network alone decides: who resigns wants a true score. */
    if (limits->nodes == 0 || limits->nodes > engine->human_limit.nodes)
        limits->nodes = engine->human_limit.nodes;
}

/* Results of a search hold for its worth of a draw only, and a table may be shared by games with
 * opponents of all ratings. Without contempt keys are the positions' own. Histories are not kept
 * apart: they order moves, and what a correction learns from a few draws it soon forgets. */
static void set_draw_score(Search *search, Colour us, int contempt_cp)
{
    int for_us = SCORE_DRAW - int_clamp(contempt_cp, -CONTEMPT_MAX, CONTEMPT_MAX);
    search->draw_score[us] = for_us;
    search->draw_score[us ^ 1] = -for_us;
    uint64_t seed = (uint64_t)(CONTEMPT_MAX + search->draw_score[WHITE]);
    search->tt_salt = for_us == SCORE_DRAW ? 0 : random_next(&seed);
}

void engine_go(Engine *engine, const SearchLimits *limits, const SearchCallbacks *callbacks)
{
    Search *search = &engine->search;
    engine->stop_asked = false; /* no thread of ours looks at it: at most one leaves on_done */
    search->start_us = clock_now_us();
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
    atomic_store_explicit(&search->pondering, limits->ponder, memory_order_relaxed);
    search->limits = *limits;
    search->callbacks = *callbacks;
    search->worker_count = engine->worker_count;
    if (limits->threads > 0 && limits->threads < engine->worker_count)
        search->worker_count = limits->threads;
    search->multi_pv = engine->options.multi_pv;
    search->overhead_ms = engine->options.overhead_ms;
    if (limits->human && engine->human_room && position_is_chess(&engine->pos))
        apply_human_limit(engine);
    else
        search->limits.human = false;
    if (search->limits.elo)
        apply_strength_limit(search);
    else if (limits->variety_cp > 0 && !search->limits.human)
        search->multi_pv = int_max(search->multi_pv, VARIETY_LINES);
    set_draw_score(search, engine->pos.side_to_move, limits->contempt_cp);
    plan_time(search, &engine->pos);
    search->last_move_score = last_move_score(engine);
    tt_new_search(search->tt);

    root_collect(&engine->root_moves, &engine->pos, limits);
    engine->is_prepared = false;
    engine->tablebase_verdict = TABLEBASE_VERDICT_NONE;
    engine->must_rank = use_tablebases(engine);
    if (!engine->must_rank)
        prepare_workers(engine);
    pool_start(engine->pool);
}

void engine_stop(Engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    if (!engine->stop_asked)
        search_stop(&engine->search);
    engine->stop_asked = true;
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

void engine_ponderhit(Engine *engine)
{
    Search *search = &engine->search;
    pthread_mutex_lock(&engine->lock);
    if (atomic_exchange(&search->pondering, false) && search->timed &&
        search_clock_ms(search) >= search->soft_ms)
        search_stop(search); /* the iteration in work may be far longer than the move's time */
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

void engine_wait(Engine *engine)
{
    pool_wait(engine->pool);
}
