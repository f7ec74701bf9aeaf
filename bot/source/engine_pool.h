/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_pool.h - our own engines: those at rest, the hash that all share, and how more are made.
 * A search takes one and gives it back. Loop thread only. */
#pragma once
#include "bot/source/builtin_engine.h"
#include "bot/source/priority.h"

enum { WORTH_NEW_THREADS = 2 }; /* times as many as an engine has */

typedef struct OwnEngine {
    Engine *engine;
    EngineOptions options;
    SearchRank rank;
    uint32_t number;        /* from 1; tells it from all others of the stock */
    struct OwnEngine *next; /* at rest */
} OwnEngine;

typedef struct {
    int threads;          /* in total */
    Tablebase *tablebase; /* of all engines; lent; NULL: none */
    EngineHash *hash;
    uint32_t last_number;
    OwnEngine *idle; /* the latest first */
} EngineStock;

/* With one engine at rest. Where memory does not suffice for the hash there is less, as the options
 * are told. `options->threads` is not 0. */
bool engine_stock_init(EngineStock *stock, const OwnEngineOptions *options, Error *err) MUST_CHECK;

/* Frees what is at rest, and the hash: all that were taken must have been given back. */
void engine_stock_release(EngineStock *stock);

/* An engine for a search on `threads`: of those of the rank number `last` if it is at rest, else
 * the latest that any search had, else a new one, else one of another rank. It may have more
 * threads than that or, as new ones know nothing yet, a little fewer. NULL: there is no memory for
 * one. */
OwnEngine *engine_stock_take(EngineStock *stock, SearchRank rank, uint32_t last, int threads);

/* The same of those at rest, as it is. NULL: none. */
OwnEngine *engine_stock_take_idle(EngineStock *stock, SearchRank rank, uint32_t last);

bool engine_stock_has_idle(const EngineStock *stock, SearchRank rank);

/* Its search has ended. Of those of its rank the longest at rest goes when they are more than could
 * ever think at full speed. */
void engine_stock_give_back(EngineStock *stock, OwnEngine *own);
