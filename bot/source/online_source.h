/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_source.h - services on the web as a source of moves, to be asked aside in a chain.
 *
 * An order asks those that its settings name one after the other until one has a move that is good
 * enough (online_choice.h). A move waits for each until its deadline, counted from the order on,
 * and then no longer. Each is asked one question at a time, games wait for each other; who answers
 * 429 (or refuses us) is left alone for a minute or as long as it says, and who had nothing to say
 * to some moves in a row for the rest of the game. While the opponent thinks, the reply that we
 * expect is asked about. The token goes to the explorer alone, and only where that is the account's
 * own: online_ask.h. */
#pragma once
#include "bot/lichess/http.h"
#include "bot/lichess/ratelimit.h"
#include "bot/ops/log.h"
#include "bot/source/source.h"

typedef struct {
    const char *urls[ONLINE_SERVICE_COUNT]; /* without a slash at their ends; lent */
    Http *http;                             /* the source's, once it exists */
    bool has_token;                         /* `http` has one, for the explorer's URL */
    const Ratelimit *cloud_limit; /* the account's, where it shares the cloud's server; else NULL */
    int local_pieces;             /* our own tables know all endgames of so many */
    uint64_t seed;                /* for the choice among moves */
    Log *log;
} OnlineSourceOptions;

/* On failure (no memory) `http` is still the caller's. */
bool online_source_new(Source **out, uv_loop_t *loop, const OnlineSourceOptions *options,
                       Error *err) MUST_CHECK;
