/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_engine.h - our own engine as a source of moves.
 *
 * Each seat has an engine of its own, so a game keeps what its searches learnt. Threads and hash
 * are totals: threads are divided among the seats taken, hash among the games that are accepted at
 * once; more games than that get a small engine each, because a game that exists is played. Engines
 * of finished games wait for the next one. The search threads run at a lower priority than the
 * loop, so that a full machine adds nothing to a move's way. */
#pragma once
#include "bot/source/source.h"

#include <uv.h>

typedef struct {
    int threads;  /* in total; 0: one for each core that we may use */
    int hash_mib; /* in total */
    int games;    /* expected at once, 1.. */
} OwnEngineOptions;

/* A new source with one engine ready. source_close() ends it. */
bool own_engine_new(Source **out, uv_loop_t *loop, const OwnEngineOptions *options,
                    Error *err) MUST_CHECK;
