/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/builtin_engine.h"

#include "bot/source/engine_pool.h"
#include "bot/source/ponder.h"
#include "bot/source/wake.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef struct EngineSource EngineSource;

typedef struct EngineHandle {
    SourceHandle base;
    SourceOnMove *on_move_found;
    void *user;

    PooledEngine *pooled; /* while a search runs, until its result was taken from the queue */
    uint32_t last_engine; /* its number; 0: none yet */
    uint32_t version;     /* of the running search */
    int threads;          /* of the running search */
    SearchRank rank;      /* of the running search */
    int64_t since_us;     /* when it began; after a hit, when that was */
    bool is_left;         /* goes as soon as it no longer thinks */

    bool is_pondering;      /* the running search is nobody's yet; `plan` is what it is about */
    bool is_dismissed;      /* and has been told to stop */
    bool is_delivering;     /* its on_move_found is running */
    bool is_ripe;           /* the answer was pondered on for long enough */
    int64_t last_search_us; /* how long the latest answer took that was not */
    PonderPlan plan;
    struct EngineHandle *next_pondering;
    bool has_ahead; /* who else found `ahead` for the order: to be pondered on, when nothing runs */
    MoveChoice ahead;

    bool has_request;      /* waits for the running search to stop, or for an engine */
    bool is_stopped_early; /* the order is to be answered as soon as it is begun */
    MoveRequest request;
    Position request_position;
    struct EngineHandle *next_waiting; /* for an engine */

    /* Under the source's lock. */
    MoveChoice result;
    struct EngineHandle *next_done;
} EngineHandle;

struct EngineSource {
    Source source;
    EnginePool pool;
    Wake wake;
    int handles;      /* taken by games */
    int open_handles; /* these, and those left whose search has not ended */
    int searches;     /* searches that somebody waits for and that do not give way */
    int busy; /* threads of all that somebody waits for, and of those that ponder and were not
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

int builtin_engine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return int_max(CPU_COUNT(&set), 1);
}

/* What a search that starts now may have. One that gives way shares nothing. */
static int threads_share(const EngineSource *source, SearchRank rank)
{
    int sharers = rank == SEARCH_GIVES_WAY ? 1 : source->searches + 1;
    return int_min(int_max(source->pool.threads / sharers, 1), MAX_THREADS);
}

static SearchRank rank_of(const EngineHandle *handle)
{
    return handle->request.is_low_priority ? SEARCH_GIVES_WAY : SEARCH_USUAL;
}

/* The engine's threads. */

static void on_done(void *user, const SearchResult *result) /* search thread */
{
    EngineHandle *handle = user;
    EngineSource *source = (EngineSource *)handle->base.source;
    pthread_mutex_lock(&source->lock);
    handle->result.move = result->best;
    handle->result.reply = result->ponder;
    handle->result.score = result->info.score;
    handle->result.depth = result->info.depth;
    handle->result.tablebase_verdict = result->tablebase_verdict;
    handle->result.nodes = result->info.nodes;
    handle->result.time_ms = result->info.time_ms;
    handle->result.source = source->source.name;
    handle->next_done = source->done;
    source->done = handle;
    pthread_mutex_unlock(&source->lock);
    wake_send(&source->wake);
}

/* The loop's thread. */

static void wait_for_engine(EngineSource *source, EngineHandle *handle)
{
    EngineHandle **at = &source->waiting;
    while (*at && *at != handle)
        at = &(*at)->next_waiting;
    if (*at)
        return;
    handle->next_waiting = NULL;
    *at = handle;
    source->waiting_count++;
}

static void stop_waiting(EngineSource *source, EngineHandle *handle)
{
    for (EngineHandle **at = &source->waiting; *at; at = &(*at)->next_waiting) {
        if (*at == handle) {
            *at = handle->next_waiting;
            source->waiting_count--;
            return;
        }
    }
}

static void run(EngineHandle *handle, PooledEngine *pooled, int threads, const Position *position,
                SearchLimits *limits)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    limits->threads = threads;
    handle->pooled = pooled;
    handle->last_engine = pooled->number;
    handle->threads = int_min(threads, pooled->options.threads);
    handle->rank = pooled->rank;
    handle->since_us = clock_now_us();
    source->busy += handle->threads;
    engine_set_position(pooled->engine, position);
    engine_go(pooled->engine, limits, &(SearchCallbacks){ .on_done = on_done, .user = handle });
}

static void forget_pondering(EngineSource *source, EngineHandle *handle)
{
    EngineHandle **at = &source->pondering;
    while (*at != handle)
        at = &(*at)->next_pondering;
    *at = handle->next_pondering;
}

/* Its threads count as free: they will be in a moment. */
static void dismiss(EngineSource *source, EngineHandle *handle)
{
    forget_pondering(source, handle);
    handle->is_dismissed = true;
    source->dismissed++;
    source->busy -= handle->threads;
    engine_stop(handle->pooled->engine);
}

static void start(EngineHandle *handle)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    SearchRank rank = rank_of(handle);
    int share = threads_share(source, rank);
    while (source->pondering && source->busy + share > source->pool.threads)
        dismiss(source, source->pondering);
    /* An engine that is about to be free is there sooner than a new one. */
    bool is_one_coming = rank == SEARCH_USUAL && source->dismissed > source->waiting_count &&
                         !engine_pool_has_idle(&source->pool, rank);
    PooledEngine *pooled =
        is_one_coming ? NULL : engine_pool_take(&source->pool, rank, handle->last_engine, share);
    if (!pooled) {
        if (!is_one_coming && source->pondering)
            dismiss(source, source->pondering);
        wait_for_engine(source, handle);
        return;
    }
    source->searches += pooled->rank == SEARCH_USUAL;
    handle->is_ripe = false;
    handle->has_request = false;
    handle->version = handle->request.version;
    run(handle, pooled, share, &handle->request_position, &handle->request.limits);
    if (handle->is_stopped_early)
        engine_stop(pooled->engine);
    handle->is_stopped_early = false;
}

static void end_search(EngineHandle *handle)
{
    if (!handle->is_pondering)
        engine_stop(handle->pooled->engine);
    else if (!handle->is_dismissed)
        dismiss((EngineSource *)handle->base.source, handle);
}

/* Only on cores that nobody needs, with an engine that is there. */
static void ponder(EngineHandle *handle, const MoveChoice *choice, int64_t spent_ms)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    int free_threads = source->pool.threads - source->busy;
    if (!handle->request.ponder || free_threads < 1 ||
        !ponder_plan(&handle->plan, &handle->request, &handle->request_position, choice, spent_ms))
        return;
    PooledEngine *pooled = engine_pool_take_idle(&source->pool, SEARCH_USUAL, handle->last_engine);
    if (!pooled)
        return;
    handle->is_pondering = true;
    handle->next_pondering = source->pondering;
    source->pondering = handle;
    SearchLimits limits = handle->plan.limits;
    run(handle, pooled, int_min(free_threads, pooled->options.threads), &handle->plan.position,
        &limits);
}

/* How long pondering must have lasted to stand for thinking; 0: nothing tells. */
static int64_t enough_us(const EngineHandle *handle)
{
    const SearchLimits *limits = &handle->request.limits;
    if (!limits->has_clock && limits->movetime_ms == 0)
        return 0;
    return handle->last_search_us > 0 ? handle->last_search_us : limits->movetime_ms * 1000;
}

/* The search that pondered is the order's from now on. False when it is not, or not worth it. */
static bool take_over(EngineHandle *handle)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    bool is_hit = handle->is_pondering && !handle->is_dismissed &&
                  handle->threads * WORTH_NEW_THREADS > threads_share(source, SEARCH_USUAL) &&
                  ponder_is_hit(&handle->plan, &handle->request_position);
    if (!is_hit)
        return false;
    int64_t now = clock_now_us();
    const int64_t enough = enough_us(handle);
    handle->is_ripe = enough > 0 && now - handle->since_us > enough;
    forget_pondering(source, handle);
    handle->is_pondering = false;
    source->searches++;
    handle->has_request = false;
    handle->version = handle->request.version;
    handle->since_us = now;
    engine_ponderhit(handle->pooled->engine);
    if (handle->is_ripe)
        engine_stop(handle->pooled->engine);
    return true;
}

static void release_engine(EngineSource *source, PooledEngine *pooled)
{
    engine_pool_give_back(&source->pool, pooled);
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
    if (!source->is_closing || source->open_handles > 0)
        return;
    engine_pool_release(&source->pool); /* no thread calls any more */
    wake_close(&source->wake, on_wake_closed);
}

static void handle_free(EngineHandle *handle)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    free(handle);
    source->open_handles--;
    close_if_empty(source);
}

/* The search has ended: its engine rests, or serves who waits. */
static void let_go(EngineHandle *handle)
{
    EngineSource *source = (EngineSource *)handle->base.source;
    PooledEngine *pooled = handle->pooled;
    if (handle->is_pondering && !handle->is_dismissed)
        forget_pondering(source, handle);
    if (handle->is_dismissed)
        source->dismissed--;
    else
        source->busy -= handle->threads;
    if (!handle->is_pondering)
        source->searches -= handle->rank == SEARCH_USUAL;
    handle->pooled = NULL;
    handle->is_pondering = handle->is_dismissed = false;
    release_engine(source, pooled);
}

static void ponder_ahead(EngineHandle *handle)
{
    handle->has_ahead = false;
    ponder(handle, &handle->ahead, 0);
}

/* The move goes out first. A search too short to expect a reply is no reason to ponder: its limits
 * would end that at once as well, and the next order would wait for it to be put away. */
static void deliver(EngineHandle *handle, const MoveChoice *choice)
{
    int64_t spent_us = clock_now_us() - handle->since_us;
    if (!handle->is_ripe)
        handle->last_search_us = spent_us;
    handle->is_ripe = false;
    handle->is_delivering = true;
    handle->on_move_found(handle->user, choice);
    handle->is_delivering = false;
    if (handle->pooled || handle->has_request)
        return;
    if (handle->is_left)
        handle_free(handle);
    else if (handle->has_ahead)
        ponder_ahead(handle);
    else if (choice->reply != MOVE_NONE)
        ponder(handle, choice, spent_us / 1000);
}

/* Another's move, and ours is the same: so is the reply that we expect. `ours`: NULL: none. */
static void look_further(EngineHandle *handle, const MoveChoice *ours)
{
    if (ours && handle->ahead.reply == MOVE_NONE && ours->move == handle->ahead.move)
        handle->ahead.reply = ours->reply;
    ponder_ahead(handle);
}

static void take_result(EngineHandle *handle, const MoveChoice *result)
{
    bool is_answer = !handle->is_pondering;
    MoveChoice choice = *result;
    choice.version = handle->version;
    let_go(handle);
    if (handle->is_left)
        handle_free(handle);
    else if (handle->has_request)
        start(handle);
    else if (handle->has_ahead)
        look_further(handle, is_answer ? &choice : NULL);
    else if (is_answer)
        deliver(handle, &choice);
}

static void on_wake(void *user)
{
    EngineSource *source = user;
    for (;;) {
        pthread_mutex_lock(&source->lock);
        EngineHandle *handle = source->done;
        MoveChoice result = { .version = 0 };
        if (handle) {
            source->done = handle->next_done;
            result = handle->result;
        }
        pthread_mutex_unlock(&source->lock);
        if (!handle)
            return;
        take_result(handle, &result);
    }
}

static SourceHandle *engine_source_handle_new(Source *base, SourceOnMove *on_move_found, void *user,
                                              Error *err)
{
    EngineSource *source = (EngineSource *)base;
    EngineHandle *handle = calloc(1, sizeof *handle);
    if (!handle) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the engine");
        return NULL;
    }
    source->handles++;
    source->open_handles++;
    handle->base.source = base;
    handle->on_move_found = on_move_found;
    handle->user = user;
    return &handle->base;
}

static void keep_request(EngineHandle *handle, const MoveRequest *request)
{
    handle->request = *request;
    handle->request_position = *request->position;
    handle->request.position = NULL;
}

static void engine_source_search(SourceHandle *base, const MoveRequest *request)
{
    EngineHandle *handle = (EngineHandle *)base;
    keep_request(handle, request);
    handle->has_ahead = false;
    handle->has_request = true;
    handle->is_stopped_early = false;
    if (take_over(handle))
        return;
    if (handle->pooled)
        end_search(handle);
    else
        start(handle);
}

static void engine_source_stop(SourceHandle *base)
{
    EngineHandle *handle = (EngineHandle *)base;
    handle->is_stopped_early = handle->has_request;
    if (handle->pooled)
        end_search(handle);
}

static void engine_source_ponder(SourceHandle *base, const MoveRequest *request,
                                 const MoveChoice *played)
{
    EngineHandle *handle = (EngineHandle *)base;
    stop_waiting((EngineSource *)base->source, handle);
    keep_request(handle, request);
    handle->has_request = false;
    handle->has_ahead = true;
    handle->ahead = *played;
    if (handle->pooled)
        end_search(handle);
    else if (!handle->is_delivering)
        ponder_ahead(handle);
}

static void engine_source_handle_free(SourceHandle *base)
{
    EngineHandle *handle = (EngineHandle *)base;
    EngineSource *source = (EngineSource *)base->source;
    source->handles--;
    handle->is_left = true;
    stop_waiting(source, handle);
    if (handle->pooled)
        end_search(handle);
    else if (!handle->is_delivering)
        handle_free(handle);
}

static void engine_source_close(Source *base, void (*on_closed)(void *user), void *user)
{
    EngineSource *source = (EngineSource *)base;
    assert(source->handles == 0);
    source->is_closing = true;
    source->on_closed = on_closed;
    source->on_closed_user = user;
    close_if_empty(source);
}

static const SourceKind engine_source_kind = {
    .handle_new = engine_source_handle_new,
    .search = engine_source_search,
    .stop = engine_source_stop,
    .ponder = engine_source_ponder,
    .handle_free = engine_source_handle_free,
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
    source->source = (Source){ &engine_source_kind, "engine", VARIANTS_OF_CHESS };
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
