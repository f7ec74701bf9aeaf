/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/engine_pool.h"

#include "engine/base/alloc.h"

#include <stdlib.h>

/* A small hash costs strength, no engine costs the game: half of it until it fits, and then half of
 * that, since everything else needs memory too. */
static bool take_hash(EnginePool *pool, const EnginePoolOptions *options, Error *err)
{
    int mib = options->hash_mib;
    Error failure = { 0 };
    while (!engine_hash_new(&pool->hash, mib, &failure)) {
        if (failure.code != ERR_MEMORY || mib == 1) {
            error_set(err, failure.code, "%s", failure.text);
            return false;
        }
        failure = (Error){ 0 };
        mib /= 2;
    }
    if (mib < options->hash_mib && mib > 1) {
        engine_hash_free(pool->hash);
        pool->hash = NULL;
        mib /= 2;
        if (!engine_hash_new(&pool->hash, mib, err))
            return false;
    }
    if (mib < options->hash_mib && options->on_less_hash)
        options->on_less_hash(options->user, options->hash_mib, mib);
    return true;
}

static bool create(PooledEngine **out, EnginePool *pool, int threads, Error *err)
{
    PooledEngine *pooled = alloc_zeroed(sizeof *pooled, "an engine", err);
    if (!pooled)
        return false;
    pooled->options = (EngineOptions)ENGINE_OPTIONS_DEFAULT;
    pooled->options.threads = threads;
    pooled->options.overhead_ms = 0; /* the requests' clocks are without it */
    pooled->options.tablebase = pool->tablebase;
    pooled->options.hash = pool->hash;
    pooled->options.network = pool->network;
    if (!priority_lower_engine(&pooled->engine, &pooled->options, err)) {
        free(pooled);
        return false;
    }
    pooled->number = ++pool->last_number;
    *out = pooled;
    return true;
}

static void destroy(PooledEngine *pooled)
{
    engine_free(pooled->engine);
    free(pooled);
}

static PooledEngine *unlink_idle(PooledEngine **at)
{
    PooledEngine *pooled = *at;
    *at = pooled->next;
    return pooled;
}

bool engine_pool_init(EnginePool *pool, const EnginePoolOptions *options, Error *err)
{
    *pool = (EnginePool){ .threads = options->threads,
                          .tablebase = options->tablebase,
                          .human = options->human };
    pool->network = engine_network_new();
    int threads = options->threads < MAX_THREADS ? options->threads : MAX_THREADS;
    if (take_hash(pool, options, err) && create(&pool->idle, pool, threads, err))
        return true;
    engine_pool_release(pool);
    return false;
}

void engine_pool_release(EnginePool *pool)
{
    while (pool->idle)
        destroy(unlink_idle(&pool->idle));
    engine_hash_free(pool->hash);
    engine_network_free(pool->network);
}

PooledEngine *engine_pool_take_idle(EnginePool *pool, uint32_t last)
{
    for (PooledEngine **at = &pool->idle; *at; at = &(*at)->next)
        if ((*at)->number == last)
            return unlink_idle(at);
    return pool->idle ? unlink_idle(&pool->idle) : NULL;
}

/* New threads have empty histories. So none are made for a small difference, and none are given up:
 * the search's limits do the rest. */
static void adjust(PooledEngine *pooled, int threads)
{
    if (threads < pooled->options.threads * WORTH_NEW_THREADS)
        return;
    EngineOptions before = pooled->options;
    pooled->options.threads = threads;
    if (!priority_lower_engine(&pooled->engine, &pooled->options, NULL))
        pooled->options = before; /* no memory for more threads: as many as there are will do */
}

PooledEngine *engine_pool_take(EnginePool *pool, uint32_t last, int threads)
{
    PooledEngine *pooled = engine_pool_take_idle(pool, last);
    if (pooled)
        adjust(pooled, threads);
    else if (!create(&pooled, pool, threads, NULL))
        return NULL;
    return pooled;
}

bool engine_pool_lend_human(PooledEngine *pooled, const PolicyNetwork *network)
{
    EngineOptions options = pooled->options;
    if (options.human == network)
        return true;
    options.human = network;
    if (!engine_set_options(pooled->engine, &options, NULL))
        return false;
    pooled->options = options;
    return true;
}

void engine_pool_give_back(EnginePool *pool, PooledEngine *pooled)
{
    int idle = 0;
    PooledEngine **longest = NULL;
    pooled->next = pool->idle;
    pool->idle = pooled;
    for (PooledEngine **at = &pool->idle; *at; at = &(*at)->next) {
        idle++;
        longest = at;
    }
    if (idle > pool->threads)
        destroy(unlink_idle(longest));
}
