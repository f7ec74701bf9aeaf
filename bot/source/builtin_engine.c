/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/builtin_engine.h"

#include "bot/model/state_table.h"
#include "bot/source/engine_pool.h"
#include "bot/source/past_positions.h"
#include "bot/source/ponder.h"
#include "bot/source/wake.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/check.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct EngineSource EngineSource;

typedef enum {
    HANDLE_IDLE,
    HANDLE_WAITING,   /* for an engine, with a request */
    HANDLE_SEARCHING, /* for the request */
    HANDLE_ANSWERING, /* its on_move_found is running */
    HANDLE_PONDERING,
    HANDLE_ENDING,   /* the search was stopped, and its result answers no request */
    HANDLE_RELEASED, /* freed by its game; the memory is about to go */
} HandleState;

/* What follows when the running search has ended without an answer. */
typedef enum {
    NEXT_NOTHING,
    NEXT_SEARCH,  /* `request` */
    NEXT_PONDER,  /* on `played` */
    NEXT_RELEASE, /* the handle was freed */
} NextStep;

typedef struct EngineHandle {
    SourceHandle base;

    HandleState state;
    NextStep next;           /* of HANDLE_ENDING and HANDLE_ANSWERING */
    struct EngineHandle *in; /* the next of the list that the state puts it into */

    PooledEngine *pooled;   /* while a search runs, until its result was taken from the queue */
    uint32_t last_engine;   /* its number; 0: none yet */
    uint32_t version;       /* of the running search */
    int threads;            /* of the running search */
    int64_t since_us;       /* when it began; after a ponder hit, when that was */
    bool was_for_request;   /* HANDLE_ENDING: it was HANDLE_SEARCHING before */
    bool is_pondered;       /* the answer is pondering's: it took no time of our own */
    int64_t last_search_us; /* how long the latest answer took that was not */
    PonderPlan plan;
    MoveChoice played; /* by another source, for the request */

    bool is_stopped_early; /* the request is to be answered as soon as it is begun, or at once */
    MoveRequest request;   /* of what it lends only `request_position` is kept */
    Position request_position;
    const PolicyNetwork *human; /* of the request; NULL: none is wanted, or to be had */
    HumanHistory past;          /* with it: what led to the position */

    /* Neither the search nor the loop waits for the other here: who finds it busy goes without. */
    atomic_flag is_progress_busy;
    MoveChoice progress; /* depth 0: none yet */

    /* Under the source's lock. */
    MoveChoice result;
    struct EngineHandle *next_done;
} EngineHandle;

struct EngineSource {
    Source source;
    EnginePool pool;
    Wake wake;
    int handles;      /* that games hold */
    int open_handles; /* these, and those freed whose memory has not gone */
    int searches;     /* HANDLE_SEARCHING, but for those that were stopped */
    int busy;         /* threads of all that search or ponder */
    int ending;       /* HANDLE_ENDING */
    int waiting_count;
    EngineHandle *pondering; /* the latest first */
    EngineHandle *waiting;   /* first come, first served */
    EngineHandle *released;
    bool is_closing;

    pthread_mutex_t lock; /* of the following */
    EngineHandle *done;   /* handles whose search has ended, latest first */
};

static EngineSource *source_of(const EngineHandle *handle)
{
    return (EngineSource *)handle->base.source;
}

/* States: see the table in the header. */

#define TO(state) (1U << HANDLE_##state)

static const uint32_t next_states[] = {
    [HANDLE_IDLE] = TO(WAITING) | TO(SEARCHING) | TO(PONDERING) | TO(RELEASED),
    [HANDLE_WAITING] = TO(IDLE) | TO(SEARCHING) | TO(RELEASED),
    [HANDLE_SEARCHING] = TO(ANSWERING) | TO(ENDING),
    [HANDLE_ANSWERING] = TO(IDLE) | TO(WAITING) | TO(SEARCHING) | TO(RELEASED),
    [HANDLE_PONDERING] = TO(IDLE) | TO(SEARCHING) | TO(ENDING),
    [HANDLE_ENDING] = TO(IDLE),
    [HANDLE_RELEASED] = 0,
};
static const char *const state_names[] = {
    [HANDLE_IDLE] = "idle",           [HANDLE_WAITING] = "waiting",
    [HANDLE_SEARCHING] = "searching", [HANDLE_ANSWERING] = "answering",
    [HANDLE_PONDERING] = "pondering", [HANDLE_ENDING] = "ending",
    [HANDLE_RELEASED] = "released",
};
static const StateTable state_table = { state_names, next_states };

static EngineHandle **list_of(EngineSource *source, HandleState state)
{
    switch (state) {
    case HANDLE_WAITING:
        return &source->waiting;
    case HANDLE_PONDERING:
        return &source->pondering;
    case HANDLE_RELEASED:
        return &source->released;
    case HANDLE_IDLE:
    case HANDLE_SEARCHING:
    case HANDLE_ANSWERING:
    case HANDLE_ENDING:
        break;
    }
    return NULL;
}

/* Who waits joins at the end. */
static void list_add(EngineHandle **at, EngineHandle *handle)
{
    while (*at && handle->state == HANDLE_WAITING)
        at = &(*at)->in;
    handle->in = *at;
    *at = handle;
}

static void list_remove(EngineHandle **at, const EngineHandle *handle)
{
    while (*at != handle)
        at = &(*at)->in;
    *at = handle->in;
}

/* `sign`: 1 when it has come into its state, -1 before it leaves. The threads of a search that is
 * ending count as free: they will be in a moment. */
static void count(EngineSource *source, const EngineHandle *handle, int sign)
{
    bool is_searching = handle->state == HANDLE_SEARCHING && !handle->is_stopped_early;
    if (is_searching || handle->state == HANDLE_PONDERING)
        source->busy += sign * handle->threads;
    source->searches += is_searching ? sign : 0;
    source->ending += handle->state == HANDLE_ENDING ? sign : 0;
    source->waiting_count += handle->state == HANDLE_WAITING ? sign : 0;
}

static void enter_state(EngineHandle *handle, HandleState state)
{
    EngineSource *source = source_of(handle);
    EngineHandle **from = list_of(source, handle->state), **to = list_of(source, state);
    if (from)
        list_remove(from, handle);
    count(source, handle, -1);
    handle->state = state_enter(&state_table, handle->state, state);
    count(source, handle, 1);
    if (to)
        list_add(to, handle);
}

/* A stopped search takes no threads from the next. */
static void set_stopped_early(EngineHandle *handle, bool is_stopped_early)
{
    count(source_of(handle), handle, -1);
    handle->is_stopped_early = is_stopped_early;
    count(source_of(handle), handle, 1);
}

int builtin_engine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return int_max(CPU_COUNT(&set), 1);
}

/* What a search that starts now may have. */
static int threads_share(const EngineSource *source)
{
    return int_clamp(source->pool.threads / (source->searches + 1), 1, MAX_THREADS);
}

/* The engine's threads. */

static void keep_info(MoveChoice *out, const SearchInfo *info)
{
    out->score = info->score;
    out->depth = info->depth;
    out->nodes = info->nodes;
    out->time_ms = info->time_ms;
    out->pv_length = int_min(info->pv_length, MOVE_CHOICE_PV);
    memcpy(out->pv, info->pv, (size_t)out->pv_length * sizeof *out->pv);
}

static void builtin_engine_on_info(void *user, const SearchInfo *info) /* search thread */
{
    EngineHandle *handle = user;
    if (info->line != 1 || info->bound != BOUND_EXACT || info->pv_length == 0 ||
        atomic_flag_test_and_set_explicit(&handle->is_progress_busy, memory_order_acquire))
        return;
    keep_info(&handle->progress, info);
    handle->progress.move = info->pv[0];
    atomic_flag_clear_explicit(&handle->is_progress_busy, memory_order_release);
}

static void builtin_engine_on_done(void *user, const SearchResult *result) /* search thread */
{
    EngineHandle *handle = user;
    EngineSource *source = (EngineSource *)handle->base.source;
    pthread_mutex_lock(&source->lock);
    handle->result.move = result->best;
    handle->result.reply = result->ponder;
    keep_info(&handle->result, &result->info);
    handle->result.tablebase_verdict = result->tablebase_verdict;
    handle->result.human = result->human;
    handle->result.source = source->source.name;
    handle->next_done = source->done;
    source->done = handle;
    pthread_mutex_unlock(&source->lock);
    wake_send(&source->wake);
}

/* The loop's thread. */

static void run(EngineHandle *handle, HandleState state, PooledEngine *pooled, int threads,
                const Position *position, SearchLimits *limits)
{
    limits->threads = threads;
    handle->pooled = pooled;
    handle->last_engine = pooled->number;
    handle->threads = int_min(threads, pooled->options.threads);
    handle->since_us = clock_now_us();
    enter_state(handle, state);
    handle->progress = (MoveChoice){ .depth = 0 }; /* no search writes it now */
    engine_set_position(pooled->engine, position);
    if (limits->human)
        engine_set_history(pooled->engine, &handle->past);
    engine_go(pooled->engine, limits,
              &(SearchCallbacks){ .on_info = builtin_engine_on_info,
                                  .on_done = builtin_engine_on_done,
                                  .user = handle });
}

static void end_search(EngineHandle *handle, NextStep next)
{
    handle->next = next;
    if (handle->state == HANDLE_ENDING)
        return;
    handle->was_for_request = handle->state == HANDLE_SEARCHING;
    enter_state(handle, HANDLE_ENDING);
    engine_stop(handle->pooled->engine);
}

/* An engine that is about to be free is there sooner than a new one. */
static bool is_engine_coming(const EngineSource *source)
{
    return source->ending > source->waiting_count && !source->pool.idle;
}

static void start(EngineHandle *handle)
{
    EngineSource *source = source_of(handle);
    int share = threads_share(source);
    while (source->pondering && source->busy + share > source->pool.threads)
        end_search(source->pondering, NEXT_NOTHING);
    bool is_coming = is_engine_coming(source);
    PooledEngine *pooled =
        is_coming ? NULL : engine_pool_take(&source->pool, handle->last_engine, share);
    if (!pooled) {
        if (!is_coming && source->pondering)
            end_search(source->pondering, NEXT_NOTHING);
        if (handle->state != HANDLE_WAITING)
            enter_state(handle, HANDLE_WAITING);
        return;
    }
    handle->is_pondered = false;
    handle->version = handle->request.version;
    handle->request.limits.human = handle->human && engine_pool_lend_human(pooled, handle->human);
    run(handle, HANDLE_SEARCHING, pooled, share, &handle->request_position,
        &handle->request.limits);
    if (handle->is_stopped_early)
        engine_stop(pooled->engine);
}

/* Only on idle cores, with an engine that exists. */
static void ponder(EngineHandle *handle, const MoveChoice *choice, int64_t spent_ms)
{
    EngineSource *source = source_of(handle);
    int free_threads = source->pool.threads - source->busy;
    if (!handle->request.ponder || free_threads < 1 ||
        !ponder_plan(&handle->plan, &handle->request, &handle->request_position, choice, spent_ms))
        return;
    PooledEngine *pooled = engine_pool_take_idle(&source->pool, handle->last_engine);
    if (!pooled)
        return;
    SearchLimits limits = handle->plan.limits;
    run(handle, HANDLE_PONDERING, pooled, int_min(free_threads, pooled->options.threads),
        &handle->plan.position, &limits);
}

/* How long pondering must have lasted to stand for a search; 0: unknown. */
static int64_t enough_us(const EngineHandle *handle)
{
    const SearchLimits *limits = &handle->request.limits;
    if (!limits->has_clock && limits->movetime_ms == 0)
        return 0;
    return handle->last_search_us > 0 ? handle->last_search_us : limits->movetime_ms * 1000;
}

/* The search that pondered is the request's from now on. False when it is not, or not worth it. */
static bool take_over(EngineHandle *handle)
{
    int share = threads_share(source_of(handle));
    if (handle->state != HANDLE_PONDERING || handle->threads * WORTH_NEW_THREADS <= share ||
        !ponder_is_hit(&handle->plan, &handle->request_position))
        return false;
    int64_t now = clock_now_us();
    const int64_t enough = enough_us(handle);
    handle->is_pondered = enough > 0 && now - handle->since_us > enough;
    handle->version = handle->request.version;
    handle->since_us = now;
    enter_state(handle, HANDLE_SEARCHING);
    engine_ponderhit(handle->pooled->engine);
    if (handle->is_pondered)
        engine_stop(handle->pooled->engine);
    return true;
}

static void builtin_engine_on_wake_closed(void *user)
{
    EngineSource *source = user;
    pthread_mutex_destroy(&source->lock);
    tablebase_free(source->pool.tablebase);
    human_networks_free(source->pool.human);
    source_free(&source->source);
}

/* A handle just freed may still search, but not for long: it was stopped. */
static void close_if_empty(EngineSource *source)
{
    if (!source->is_closing || source->open_handles > 0)
        return;
    engine_pool_release(&source->pool); /* no thread calls any more */
    wake_close(&source->wake, builtin_engine_on_wake_closed);
}

/* The memory goes from the loop, since this may be called from the handle's own callback. */
static void release(EngineHandle *handle)
{
    enter_state(handle, HANDLE_RELEASED);
    wake_send(&source_of(handle)->wake);
}

static void free_released(EngineSource *source)
{
    while (source->released) {
        EngineHandle *handle = source->released;
        source->released = handle->in;
        free(handle);
        source->open_handles--;
    }
    close_if_empty(source);
}

/* The engine goes to a handle that waits for one, or is idle. */
static void give_back_engine(EngineHandle *handle)
{
    EngineSource *source = source_of(handle);
    PooledEngine *pooled = handle->pooled;
    handle->pooled = NULL;
    engine_pool_give_back(&source->pool, pooled);
    if (source->waiting)
        start(source->waiting);
}

/* The move goes out first. A search too short to expect a reply is no reason to ponder: its limits
 * would end that at once as well, and the next request would wait for it to end. */
static void deliver(EngineHandle *handle, const MoveChoice *choice)
{
    int64_t spent_us = clock_now_us() - handle->since_us;
    if (!handle->is_pondered)
        handle->last_search_us = spent_us;
    handle->is_pondered = false;
    handle->next = NEXT_NOTHING;
    handle->base.on_move_found(handle->base.user, choice);
    if (handle->state != HANDLE_ANSWERING)
        return; /* by what it was called for from there */
    enter_state(handle, HANDLE_IDLE);
    if (handle->next == NEXT_PONDER)
        ponder(handle, &handle->played, 0);
    else if (choice->reply != MOVE_NONE)
        ponder(handle, choice, spent_us / 1000);
}

/* Another source's move, and ours is the same: so is the reply that we expect. `ours` is what the
 * ended search found; NULL: it was not about the request. */
static void ponder_on_played(EngineHandle *handle, const MoveChoice *ours)
{
    if (ours && handle->played.reply == MOVE_NONE && ours->move == handle->played.move)
        handle->played.reply = ours->reply;
    ponder(handle, &handle->played, 0);
}

static void take_result(EngineHandle *handle, const MoveChoice *result)
{
    bool is_answer = handle->state == HANDLE_SEARCHING;
    NextStep next = handle->state == HANDLE_ENDING ? handle->next : NEXT_NOTHING;
    MoveChoice choice = *result;
    choice.version = handle->version;
    choice.draw_score = -handle->request.limits.contempt_cp;
    enter_state(handle, is_answer ? HANDLE_ANSWERING : HANDLE_IDLE);
    give_back_engine(handle);
    if (is_answer) {
        deliver(handle, &choice);
        return;
    }
    switch (next) {
    case NEXT_NOTHING:
        break;
    case NEXT_SEARCH:
        start(handle);
        break;
    case NEXT_PONDER:
        ponder_on_played(handle, handle->was_for_request ? &choice : NULL);
        break;
    case NEXT_RELEASE:
        release(handle);
        break;
    }
}

static void builtin_engine_on_wake(void *user)
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
            break;
        take_result(handle, &result);
    }
    free_released(source);
}

static SourceHandle *engine_source_handle_new(Source *base, Error *err)
{
    EngineSource *source = (EngineSource *)base;
    EngineHandle *handle = alloc_zeroed(sizeof *handle, "a game's place at the engine", err);
    if (!handle)
        return NULL;
    atomic_flag_clear(&handle->is_progress_busy);
    source->handles++;
    source->open_handles++;
    return &handle->base;
}

/* What the request lends is gone when the call is over, but for the position that is copied. */
static void keep_request(EngineHandle *handle, const MoveRequest *request)
{
    handle->request = *request;
    handle->request_position = *request->position;
    handle->request.position = NULL;
    handle->request.game = handle->request.fen = handle->request.engines = NULL;
    handle->request.opponent = handle->request.human = NULL;
    handle->request.moves = (Text){ 0 };
}

/* Chess alone has people's moves. */
static void find_human(EngineHandle *handle, const MoveRequest *request)
{
    HumanNetworks *networks = source_of(handle)->pool.human;
    handle->human = NULL;
    if (networks && request->limits.human && request->human && position_is_chess(request->position))
        handle->human = human_networks_get(networks, request->human, request->limits.elo);
    if (handle->human)
        past_positions_read(&handle->past, request);
}

static void engine_source_search(SourceHandle *base, const MoveRequest *request)
{
    EngineHandle *handle = (EngineHandle *)base;
    keep_request(handle, request);
    find_human(handle, request);
    set_stopped_early(handle, false);
    if (take_over(handle))
        return;
    if (handle->pooled)
        end_search(handle, NEXT_SEARCH);
    else
        start(handle);
}

static void engine_source_stop(SourceHandle *base)
{
    EngineHandle *handle = (EngineHandle *)base;
    switch (handle->state) {
    case HANDLE_SEARCHING:
        set_stopped_early(handle, true);
        engine_stop(handle->pooled->engine);
        break;
    case HANDLE_PONDERING:
        end_search(handle, NEXT_NOTHING);
        break;
    case HANDLE_ENDING:
        if (handle->next == NEXT_SEARCH)
            set_stopped_early(handle, true);
        else if (handle->next == NEXT_PONDER)
            handle->next = NEXT_NOTHING;
        break;
    case HANDLE_WAITING:
        set_stopped_early(handle, true);
        break;
    case HANDLE_IDLE:
    case HANDLE_ANSWERING:
    case HANDLE_RELEASED:
        break;
    }
}

static void engine_source_ponder(SourceHandle *base, const MoveRequest *request,
                                 const MoveChoice *played)
{
    EngineHandle *handle = (EngineHandle *)base;
    keep_request(handle, request);
    handle->played = *played;
    if (handle->state == HANDLE_WAITING)
        enter_state(handle, HANDLE_IDLE);
    if (handle->pooled)
        end_search(handle, NEXT_PONDER);
    else if (handle->state == HANDLE_ANSWERING)
        handle->next = NEXT_PONDER;
    else
        ponder(handle, &handle->played, 0);
}

static bool engine_source_progress(SourceHandle *base, MoveChoice *out)
{
    EngineHandle *handle = (EngineHandle *)base;
    if (handle->state != HANDLE_SEARCHING ||
        atomic_flag_test_and_set_explicit(&handle->is_progress_busy, memory_order_acquire))
        return false;
    MoveChoice progress = handle->progress;
    atomic_flag_clear_explicit(&handle->is_progress_busy, memory_order_release);
    if (progress.depth == 0)
        return false;
    *out = progress;
    out->version = handle->version;
    return true;
}

static void engine_source_handle_free(SourceHandle *base)
{
    EngineHandle *handle = (EngineHandle *)base;
    source_of(handle)->handles--;
    if (handle->pooled)
        end_search(handle, NEXT_RELEASE);
    else
        release(handle);
}

static void engine_source_close(Source *base)
{
    EngineSource *source = (EngineSource *)base;
    CHECK(source->handles == 0);
    source->is_closing = true;
    close_if_empty(source);
}

static const SourceKind engine_source_kind = {
    .handle_new = engine_source_handle_new,
    .search = engine_source_search,
    .stop = engine_source_stop,
    .ponder = engine_source_ponder,
    .progress = engine_source_progress,
    .handle_free = engine_source_handle_free,
    .close = engine_source_close,
};

bool builtin_engine_new(Source **out, uv_loop_t *loop, const EnginePoolOptions *options, Error *err)
{
    assert(options->threads >= 0 && options->hash_mib >= 1);
    EngineSource *source = alloc_zeroed(sizeof *source, "the engine", err);
    if (!source)
        return false;
    source->source =
        (Source){ .kind = &engine_source_kind, .name = "engine", .variants = VARIANTS_ALL };
    EnginePoolOptions wanted = *options;
    if (wanted.threads == 0)
        wanted.threads = builtin_engine_cores();
    if (!engine_pool_init(&source->pool, &wanted, err)) {
        free(source);
        return false;
    }
    if (!wake_init(&source->wake, loop, builtin_engine_on_wake, source, err)) {
        engine_pool_release(&source->pool);
        free(source);
        return false;
    }
    pthread_mutex_init(&source->lock, NULL);
    *out = &source->source;
    return true;
}
