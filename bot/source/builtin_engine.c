/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/builtin_engine.h"

#include "bot/source/engine_pool.h"
#include "bot/source/ponder.h"
#include "bot/source/wake.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef struct EngineSource EngineSource;

typedef struct EngineHandle {
    SourceHandle seat;
    SourceOnMove *on_move_found;
    void *user;

    PooledEngine *own;    /* while a search runs, until its result was taken from the queue */
    uint32_t last_engine; /* its number; 0: none yet */
    uint32_t version;     /* of the running search */
    int threads;          /* of the running search */
    SearchRank rank;      /* of the running search */
    int64_t since_us;     /* when it began; after a hit, when that was */
    bool is_left;         /* goes as soon as it no longer thinks */

    bool is_pondering;       /* the running search is nobody's yet; `plan` is what it is about */
    bool is_dismissed;       /* and has been told to stop */
    bool is_delivering;      /* its on_move_found is running */
    bool is_ripe;            /* the answer was pondered on for long enough */
    int64_t last_thought_us; /* how long the latest answer took that was not */
    PonderPlan plan;
    struct EngineHandle *next_pondering;
    bool has_ahead; /* who else found `ahead` for the order: to be pondered on, when nothing runs */
    MoveChoice ahead;

    bool has_order;        /* waits for the running search to stop, or for an engine */
    bool is_stopped_early; /* the order is to be answered as soon as it is begun */
    MoveRequest order;
    Position order_position;
    struct EngineHandle *next_waiting; /* for an engine */

    /* Under the source's lock. */
    MoveChoice result;
    struct EngineHandle *next_done;
} EngineHandle;

struct EngineSource {
    Source source;
    EnginePool pool;
    Wake wake;
    int seats;     /* taken by games */
    int lingering; /* these, and those left whose search has not ended */
    int thinking;  /* searches that somebody waits for and that do not give way */
    int busy;      /* threads of all that somebody waits for, and of those that ponder and were not
                      dismissed */
    EngineHandle *pondering; /* those: the latest first */
    int dismissed;           /* searches that are about to end for others' sake */
    EngineHandle *waiting;   /* first come, first served */
    int waiting_count;
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;

    pthread_mutex_t lock; /* of the following */
    EngineHandle *done;   /* seats whose search has ended, latest first */
};

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

int builtin_engine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return max_int(CPU_COUNT(&set), 1);
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* What a search that starts now may have. One that gives way shares nothing. */
static int threads_share(const EngineSource *source, SearchRank rank)
{
    int sharers = rank == SEARCH_GIVES_WAY ? 1 : source->thinking + 1;
    return min_int(max_int(source->pool.threads / sharers, 1), MAX_THREADS);
}

static SearchRank rank_of(const EngineHandle *seat)
{
    return seat->order.is_low_priority ? SEARCH_GIVES_WAY : SEARCH_USUAL;
}

/* The engine's threads. */

static void on_done(void *user, const SearchResult *result) /* search thread */
{
    EngineHandle *seat = user;
    EngineSource *source = (EngineSource *)seat->seat.source;
    pthread_mutex_lock(&source->lock);
    seat->result.move = result->best;
    seat->result.reply = result->ponder;
    seat->result.score = result->info.score;
    seat->result.depth = result->info.depth;
    seat->result.tables = result->tablebase_verdict;
    seat->result.nodes = result->info.nodes;
    seat->result.time_ms = result->info.time_ms;
    seat->result.source = source->source.name;
    seat->next_done = source->done;
    source->done = seat;
    pthread_mutex_unlock(&source->lock);
    wake_send(&source->wake);
}

/* The loop's thread. */

static void wait_for_engine(EngineSource *source, EngineHandle *seat)
{
    EngineHandle **at = &source->waiting;
    while (*at && *at != seat)
        at = &(*at)->next_waiting;
    if (*at)
        return;
    seat->next_waiting = NULL;
    *at = seat;
    source->waiting_count++;
}

static void stop_waiting(EngineSource *source, EngineHandle *seat)
{
    for (EngineHandle **at = &source->waiting; *at; at = &(*at)->next_waiting) {
        if (*at == seat) {
            *at = seat->next_waiting;
            source->waiting_count--;
            return;
        }
    }
}

static void run(EngineHandle *seat, PooledEngine *own, int threads, const Position *position,
                SearchLimits *limits)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    limits->threads = threads;
    seat->own = own;
    seat->last_engine = own->number;
    seat->threads = min_int(threads, own->options.threads);
    seat->rank = own->rank;
    seat->since_us = clock_now_us();
    source->busy += seat->threads;
    engine_set_position(own->engine, position);
    engine_go(own->engine, limits, &(SearchCallbacks){ .on_done = on_done, .user = seat });
}

static void forget_pondering(EngineSource *source, EngineHandle *seat)
{
    EngineHandle **at = &source->pondering;
    while (*at != seat)
        at = &(*at)->next_pondering;
    *at = seat->next_pondering;
}

/* Its threads count as free: they will be in a moment. */
static void dismiss(EngineSource *source, EngineHandle *seat)
{
    forget_pondering(source, seat);
    seat->is_dismissed = true;
    source->dismissed++;
    source->busy -= seat->threads;
    engine_stop(seat->own->engine);
}

static void start(EngineHandle *seat)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    SearchRank rank = rank_of(seat);
    int share = threads_share(source, rank);
    while (source->pondering && source->busy + share > source->pool.threads)
        dismiss(source, source->pondering);
    /* An engine that is about to be free is there sooner than a new one. */
    bool is_one_coming = rank == SEARCH_USUAL && source->dismissed > source->waiting_count &&
                         !engine_pool_has_idle(&source->pool, rank);
    PooledEngine *own =
        is_one_coming ? NULL : engine_pool_take(&source->pool, rank, seat->last_engine, share);
    if (!own) {
        if (!is_one_coming && source->pondering)
            dismiss(source, source->pondering);
        wait_for_engine(source, seat);
        return;
    }
    source->thinking += own->rank == SEARCH_USUAL;
    seat->is_ripe = false;
    seat->has_order = false;
    seat->version = seat->order.version;
    run(seat, own, share, &seat->order_position, &seat->order.limits);
    if (seat->is_stopped_early)
        engine_stop(own->engine);
    seat->is_stopped_early = false;
}

static void end_search(EngineHandle *seat)
{
    if (!seat->is_pondering)
        engine_stop(seat->own->engine);
    else if (!seat->is_dismissed)
        dismiss((EngineSource *)seat->seat.source, seat);
}

/* Only on cores that nobody needs, with an engine that is there. */
static void ponder(EngineHandle *seat, const MoveChoice *thought, int64_t spent_ms)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    int free_threads = source->pool.threads - source->busy;
    if (!seat->order.ponder || free_threads < 1 ||
        !ponder_plan(&seat->plan, &seat->order, &seat->order_position, thought, spent_ms))
        return;
    PooledEngine *own = engine_pool_take_idle(&source->pool, SEARCH_USUAL, seat->last_engine);
    if (!own)
        return;
    seat->is_pondering = true;
    seat->next_pondering = source->pondering;
    source->pondering = seat;
    SearchLimits limits = seat->plan.limits;
    run(seat, own, min_int(free_threads, own->options.threads), &seat->plan.position, &limits);
}

/* How long pondering must have lasted to stand for thinking; 0: nothing tells. */
static int64_t enough_us(const EngineHandle *seat)
{
    const SearchLimits *limits = &seat->order.limits;
    if (!limits->has_clock && limits->movetime_ms == 0)
        return 0;
    return seat->last_thought_us > 0 ? seat->last_thought_us : limits->movetime_ms * 1000;
}

/* The search that pondered is the order's from now on. False when it is not, or not worth it. */
static bool take_over(EngineHandle *seat)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    bool is_hit = seat->is_pondering && !seat->is_dismissed &&
                  seat->threads * WORTH_NEW_THREADS > threads_share(source, SEARCH_USUAL) &&
                  ponder_is_hit(&seat->plan, &seat->order_position);
    if (!is_hit)
        return false;
    int64_t now = clock_now_us();
    const int64_t enough = enough_us(seat);
    seat->is_ripe = enough > 0 && now - seat->since_us > enough;
    forget_pondering(source, seat);
    seat->is_pondering = false;
    source->thinking++;
    seat->has_order = false;
    seat->version = seat->order.version;
    seat->since_us = now;
    engine_ponderhit(seat->own->engine);
    if (seat->is_ripe)
        engine_stop(seat->own->engine);
    return true;
}

static void release_engine(EngineSource *source, PooledEngine *own)
{
    engine_pool_give_back(&source->pool, own);
    EngineHandle *next = source->waiting;
    if (!next)
        return;
    source->waiting = next->next_waiting;
    source->waiting_count--;
    start(next);
}

static void on_wake_closed(void *user)
{
    EngineSource *source = user;
    void (*on_closed)(void *) = source->on_closed;
    void *on_closed_user = source->on_closed_user;
    pthread_mutex_destroy(&source->lock);
    tablebase_free(source->pool.tablebase);
    free(source);
    if (on_closed)
        on_closed(on_closed_user);
}

/* A seat just left may still think, but not for long: it was told to stop. */
static void close_if_empty(EngineSource *source)
{
    if (!source->is_closing || source->lingering > 0)
        return;
    engine_pool_release(&source->pool); /* no thread calls any more */
    wake_close(&source->wake, on_wake_closed);
}

static void seat_free(EngineHandle *seat)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    free(seat);
    source->lingering--;
    close_if_empty(source);
}

/* The search has ended: its engine rests, or serves who waits. */
static void let_go(EngineHandle *seat)
{
    EngineSource *source = (EngineSource *)seat->seat.source;
    PooledEngine *own = seat->own;
    if (seat->is_pondering && !seat->is_dismissed)
        forget_pondering(source, seat);
    if (seat->is_dismissed)
        source->dismissed--;
    else
        source->busy -= seat->threads;
    if (!seat->is_pondering)
        source->thinking -= seat->rank == SEARCH_USUAL;
    seat->own = NULL;
    seat->is_pondering = seat->is_dismissed = false;
    release_engine(source, own);
}

static void ponder_ahead(EngineHandle *seat)
{
    seat->has_ahead = false;
    ponder(seat, &seat->ahead, 0);
}

/* The move goes out first. A search too short to expect a reply is no reason to ponder: its limits
 * would end that at once as well, and the next order would wait for it to be put away. */
static void deliver(EngineHandle *seat, const MoveChoice *thought)
{
    int64_t spent_us = clock_now_us() - seat->since_us;
    if (!seat->is_ripe)
        seat->last_thought_us = spent_us;
    seat->is_ripe = false;
    seat->is_delivering = true;
    seat->on_move_found(seat->user, thought);
    seat->is_delivering = false;
    if (seat->own || seat->has_order)
        return;
    if (seat->is_left)
        seat_free(seat);
    else if (seat->has_ahead)
        ponder_ahead(seat);
    else if (thought->reply != MOVE_NONE)
        ponder(seat, thought, spent_us / 1000);
}

/* Another's move, and ours is the same: so is the reply that we expect. `ours`: NULL: none. */
static void look_further(EngineHandle *seat, const MoveChoice *ours)
{
    if (ours && seat->ahead.reply == MOVE_NONE && ours->move == seat->ahead.move)
        seat->ahead.reply = ours->reply;
    ponder_ahead(seat);
}

static void take_result(EngineHandle *seat, const MoveChoice *result)
{
    bool is_answer = !seat->is_pondering;
    MoveChoice thought = *result;
    thought.version = seat->version;
    let_go(seat);
    if (seat->is_left)
        seat_free(seat);
    else if (seat->has_order)
        start(seat);
    else if (seat->has_ahead)
        look_further(seat, is_answer ? &thought : NULL);
    else if (is_answer)
        deliver(seat, &thought);
}

static void on_wake(void *user)
{
    EngineSource *source = user;
    for (;;) {
        pthread_mutex_lock(&source->lock);
        EngineHandle *seat = source->done;
        MoveChoice result = { .version = 0 };
        if (seat) {
            source->done = seat->next_done;
            result = seat->result;
        }
        pthread_mutex_unlock(&source->lock);
        if (!seat)
            return;
        take_result(seat, &result);
    }
}

static SourceHandle *engine_source_seat(Source *base, SourceOnMove *on_move_found, void *user,
                                        Error *err)
{
    EngineSource *source = (EngineSource *)base;
    EngineHandle *seat = calloc(1, sizeof *seat);
    if (!seat) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the engine");
        return NULL;
    }
    source->seats++;
    source->lingering++;
    seat->seat.source = base;
    seat->on_move_found = on_move_found;
    seat->user = user;
    return &seat->seat;
}

static void keep_order(EngineHandle *seat, const MoveRequest *order)
{
    seat->order = *order;
    seat->order_position = *order->position;
    seat->order.position = NULL;
}

static void engine_source_think(SourceHandle *base, const MoveRequest *order)
{
    EngineHandle *seat = (EngineHandle *)base;
    keep_order(seat, order);
    seat->has_ahead = false;
    seat->has_order = true;
    seat->is_stopped_early = false;
    if (take_over(seat))
        return;
    if (seat->own)
        end_search(seat);
    else
        start(seat);
}

static void engine_source_stop(SourceHandle *base)
{
    EngineHandle *seat = (EngineHandle *)base;
    seat->is_stopped_early = seat->has_order;
    if (seat->own)
        end_search(seat);
}

static void engine_source_look_ahead(SourceHandle *base, const MoveRequest *order,
                                     const MoveChoice *played)
{
    EngineHandle *seat = (EngineHandle *)base;
    stop_waiting((EngineSource *)base->source, seat);
    keep_order(seat, order);
    seat->has_order = false;
    seat->has_ahead = true;
    seat->ahead = *played;
    if (seat->own)
        end_search(seat);
    else if (!seat->is_delivering)
        ponder_ahead(seat);
}

static void engine_source_leave(SourceHandle *base)
{
    EngineHandle *seat = (EngineHandle *)base;
    EngineSource *source = (EngineSource *)base->source;
    source->seats--;
    seat->is_left = true;
    stop_waiting(source, seat);
    if (seat->own)
        end_search(seat);
    else if (!seat->is_delivering)
        seat_free(seat);
}

static void engine_source_close(Source *base, void (*on_closed)(void *user), void *user)
{
    EngineSource *source = (EngineSource *)base;
    assert(source->seats == 0);
    source->is_closing = true;
    source->on_closed = on_closed;
    source->on_closed_user = user;
    close_if_empty(source);
}

static const SourceKind engine_source_kind = {
    .seat = engine_source_seat,
    .think = engine_source_think,
    .stop = engine_source_stop,
    .look_ahead = engine_source_look_ahead,
    .leave = engine_source_leave,
    .close = engine_source_close,
};

bool builtin_engine_new(Source **out, uv_loop_t *loop, const EnginePoolOptions *options, Error *err)
{
    assert(options->threads >= 0 && options->hash_mib >= 1);
    EngineSource *source = calloc(1, sizeof *source);
    if (!source) {
        error_set(err, ERR_MEMORY, "no memory for the engine");
        return false;
    }
    source->source = (Source){ &engine_source_kind, "own", VARIANTS_OF_CHESS };
    EnginePoolOptions wanted = *options;
    if (wanted.threads == 0)
        wanted.threads = builtin_engine_cores();
    if (!engine_pool_init(&source->pool, &wanted, err)) {
        free(source);
        return false;
    }
    if (!wake_init(&source->wake, loop, on_wake, source, err)) {
        engine_pool_release(&source->pool);
        free(source);
        return false;
    }
    pthread_mutex_init(&source->lock, NULL);
    *out = &source->source;
    return true;
}
