/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_pool.h - our own engines: the idle ones, the hash and the network that all share, and how
 * more are made. A search takes one and gives it back. Loop thread only. */
#pragma once
#include "bot/source/human_networks.h"
#include "bot/source/priority.h"

typedef struct {
    int threads;  /* in total; 0: one for each core that we may use */
    int hash_mib; /* in total */
    /* There is less hash than there should be; may be NULL. */
    void (*on_less_hash)(void *user, int wanted_mib, int got_mib);
    void *user;
    Tablebase *tablebase; /* of all engines; lent; NULL: none */
    HumanNetworks *human; /* lent; NULL: none */
} EnginePoolOptions;

enum { WORTH_NEW_THREADS = 2 }; /* times as many as an engine has */

typedef struct PooledEngine {
    Engine *engine;
    EngineOptions options;
    uint32_t number;           /* from 1; unique in the pool */
    struct PooledEngine *next; /* idle */
} PooledEngine;

typedef struct {
    int threads;          /* in total */
    Tablebase *tablebase; /* of all engines; lent; NULL: none */
    HumanNetworks *human; /* lent; NULL: none */
    EngineHash *hash;
    Network *network; /* the copy for all; NULL: they read what is built in */
    uint32_t last_number;
    PooledEngine *idle; /* the latest first */
} EnginePool;

/* With one idle engine. Without memory for the hash there is less of it, and on_less_hash is
 * called. `options->threads` is not 0. */
bool engine_pool_init(EnginePool *pool, const EnginePoolOptions *options, Error *err) MUST_CHECK;

/* Frees the engines, the hash and the network: all that were taken must have been given back. */
void engine_pool_release(EnginePool *pool);

/* An engine for a search on `threads`: number `last` if it is idle, else the latest that any search
 * had, else a new one. It may have more threads than that, or a little fewer, because new ones have
 * empty histories. NULL: there is no memory for one. */
PooledEngine *engine_pool_take(EnginePool *pool, uint32_t last, int threads);

/* The same of the idle ones, as it is. NULL: none. */
PooledEngine *engine_pool_take_idle(EnginePool *pool, uint32_t last);

/* Lends an engine that was taken a network of people's moves, for SearchLimits.human; false: there
 * is no memory to use it. */
bool engine_pool_lend_human(PooledEngine *pooled, const PolicyNetwork *network) MUST_CHECK;

/* Its search has ended. When more are idle than could ever search at full speed, the one that has
 * been idle for longest is freed. */
void engine_pool_give_back(EnginePool *pool, PooledEngine *pooled);
