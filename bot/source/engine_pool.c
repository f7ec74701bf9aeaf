/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/engine_pool.h"

#include <stdlib.h>

/* A small hash costs strength, no engine costs the game: half of it until it fits, and then half of
 * that, since everything else needs memory too. */
static bool take_hash(EngineStock *stock, const OwnEngineOptions *options, Error *err)
{
    int mib = options->hash_mib;
    Error failure = { 0 };
    while (!engine_hash_new(&stock->hash, mib, &failure)) {
        if (failure.code != ERR_MEMORY || mib == 1) {
            error_set(err, failure.code, "%s", failure.text);
            return false;
        }
        failure = (Error){ 0 };
        mib /= 2;
    }
    if (mib < options->hash_mib && mib > 1) {
        engine_hash_free(stock->hash);
        stock->hash = NULL;
        mib /= 2;
        if (!engine_hash_new(&stock->hash, mib, err))
            return false;
    }
    if (mib < options->hash_mib && options->on_less_hash)
        options->on_less_hash(options->user, options->hash_mib, mib);
    return true;
}

static bool create(OwnEngine **out, EngineStock *stock, SearchRank rank, int threads, Error *err)
{
    OwnEngine *own = calloc(1, sizeof *own);
    if (!own) {
        error_set(err, ERR_MEMORY, "no memory for an engine");
        return false;
    }
    own->options = (EngineOptions)ENGINE_OPTIONS_DEFAULT;
    own->options.threads = threads;
    own->options.overhead_ms = 0; /* the orders' clocks are without it */
    own->options.tablebase = stock->tablebase;
    own->options.hash = stock->hash;
    own->rank = rank;
    if (!priority_lower_engine(&own->engine, &own->options, rank, err)) {
        free(own);
        return false;
    }
    own->number = ++stock->last_number;
    *out = own;
    return true;
}

static void destroy(OwnEngine *own)
{
    engine_free(own->engine);
    free(own);
}

static OwnEngine *unlink_idle(OwnEngine **at)
{
    OwnEngine *own = *at;
    *at = own->next;
    return own;
}

bool engine_stock_init(EngineStock *stock, const OwnEngineOptions *options, Error *err)
{
    *stock = (EngineStock){ .threads = options->threads, .tablebase = options->tablebase };
    int threads = options->threads < MAX_THREADS ? options->threads : MAX_THREADS;
    if (take_hash(stock, options, err) && create(&stock->idle, stock, SEARCH_USUAL, threads, err))
        return true;
    engine_stock_release(stock);
    return false;
}

void engine_stock_release(EngineStock *stock)
{
    while (stock->idle)
        destroy(unlink_idle(&stock->idle));
    engine_hash_free(stock->hash);
}

OwnEngine *engine_stock_take_idle(EngineStock *stock, SearchRank rank, uint32_t last)
{
    OwnEngine **latest = NULL;
    for (OwnEngine **at = &stock->idle; *at; at = &(*at)->next) {
        if ((*at)->rank != rank)
            continue;
        if ((*at)->number == last)
            return unlink_idle(at);
        latest = latest ? latest : at;
    }
    return latest ? unlink_idle(latest) : NULL;
}

/* New threads know nothing, so there are none for a little more, and none are given up: the
 * search's limits see to that. */
static void adjust(OwnEngine *own, int threads)
{
    if (threads < own->options.threads * WORTH_NEW_THREADS)
        return;
    EngineOptions before = own->options;
    own->options.threads = threads;
    if (!priority_lower_engine(&own->engine, &own->options, own->rank, NULL))
        own->options = before; /* no memory for more threads: as many as there are will do */
}

OwnEngine *engine_stock_take(EngineStock *stock, SearchRank rank, uint32_t last, int threads)
{
    OwnEngine *own = engine_stock_take_idle(stock, rank, last);
    if (!own && create(&own, stock, rank, threads, NULL))
        return own;
    if (!own && stock->idle)
        own = unlink_idle(&stock->idle);
    if (own)
        adjust(own, threads);
    return own;
}

bool engine_stock_has_idle(const EngineStock *stock, SearchRank rank)
{
    const OwnEngine *own = stock->idle;
    while (own && own->rank != rank)
        own = own->next;
    return own != NULL;
}

void engine_stock_give_back(EngineStock *stock, OwnEngine *own)
{
    int resting = 0;
    OwnEngine **longest = NULL;
    own->next = stock->idle;
    stock->idle = own;
    for (OwnEngine **at = &stock->idle; *at; at = &(*at)->next) {
        if ((*at)->rank != own->rank)
            continue;
        resting++;
        longest = at;
    }
    if (resting > stock->threads)
        destroy(unlink_idle(longest));
}
