/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/position_search.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { NICENESS = 10, LAST_NICENESS = 19 };

struct PositionSearch {
    Engine *engine;
    SearchResult result;
};

typedef struct {
    PositionSearch *search;
    PositionSearchPriority priority;
    Error *err;
    bool ok;
} Making;

/* Search threads inherit the priority of the thread that makes them, which lives just for that. */
static void *make(void *argument)
{
    Making *making = argument;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.hash_mib = POSITION_SEARCH_HASH_MIB;
    const struct sched_param none = { .sched_priority = 0 };
    bool is_spare = making->priority == POSITION_SEARCH_SPARE;
    setpriority(PRIO_PROCESS, 0, is_spare ? LAST_NICENESS : NICENESS);
    /* Whoever wants the core gets it at once; without that the niceness must do. */
    if (is_spare)
        (void)sched_setscheduler(0, SCHED_IDLE, &none);
    making->ok = engine_new(&making->search->engine, &options, making->err);
    return NULL;
}

bool position_search_new(PositionSearch **out, PositionSearchPriority priority, Error *err)
{
    pthread_t thread;
    PositionSearch *search = calloc(1, sizeof *search);
    Making making = { .search = search, .priority = priority, .err = err };
    if (!search || pthread_create(&thread, NULL, make, &making) != 0) {
        error_set(err, ERR_MEMORY, "no memory for an engine");
        free(search);
        return false;
    }
    pthread_join(thread, NULL);
    if (!making.ok) {
        free(search);
        return false;
    }
    *out = search;
    return true;
}

void position_search_free(PositionSearch *search)
{
    if (!search)
        return;
    engine_free(search->engine);
    free(search);
}

void position_search_begin(PositionSearch *search)
{
    engine_clear(search->engine);
}

static void position_search_on_done(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

void position_search_go(PositionSearch *search, const Position *pos, uint64_t nodes,
                        SearchResult *out)
{
    const SearchLimits limits = { .nodes = nodes };
    const SearchCallbacks callbacks = { .on_done = position_search_on_done,
                                        .user = &search->result };
    engine_set_position(search->engine, pos);
    engine_go(search->engine, &limits, &callbacks);
    engine_wait(search->engine);
    *out = search->result;
    if (out->best == MOVE_NONE)
        out->info = (SearchInfo){ .score = position_in_check(pos) ? -SCORE_MATE : SCORE_DRAW };
}
