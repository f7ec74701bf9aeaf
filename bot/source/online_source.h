/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_source.h - web services as a source of moves, for a parallel link of a chain.
 *
 * The services in the settings are queried in turn until one has a good enough move
 * (online_choice.h). A move waits for each until its deadline, counted from the request. Each
 * service handles one question at a time. After a 429, or a refusal, it is paused for a minute or
 * as long as it says, for all games. A service that fails max_misses times in a row is skipped for
 * the rest of the game. On the opponent's turn the expected position is queried. The token goes to
 * the explorer alone, and only where that is the account's own: online_ask.h. */
#pragma once
#include "bot/http/http.h"
#include "bot/lichess/ratelimit.h"
#include "bot/ops/log.h"
#include "bot/source/source.h"

typedef struct {
    const char *urls[ONLINE_SERVICE_COUNT]; /* without a slash at their ends; lent */
    Http *http;                             /* the source's, once it exists */
    bool has_token;                         /* `http` has one, for the explorer's URL */
    const Ratelimit *cloud_limit; /* the account's, where it shares the cloud's server; else NULL */
    int local_pieces;             /* our own tablebases hold all endgames of up to this many */
    uint64_t seed;                /* for the choice among moves */
    Log *log;
} OnlineSourceOptions;

/* On failure (no memory) `http` is still the caller's. */
bool online_source_new(Source **out, uv_loop_t *loop, const OnlineSourceOptions *options,
                       Error *err) MUST_CHECK;
