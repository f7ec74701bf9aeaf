/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - several sources as one: asked in order, and the first that finds a move wins.
 *
 * Each link but the last has a deadline. When it has passed, the source is stopped, and usually
 * answers with the best move so far. One that does not answer even then is passed over, and its
 * late answer ignored. The next link searches with what is left of the clock. So the last one, our
 * own engine, always has enough time to find a move.
 *
 * A parallel link is asked together with those after it. If it finds a move first, that move wins;
 * a move of another link waits for the parallel link's answer. So a parallel link has to keep a
 * deadline of its own. It is told which move was played, so that it can ponder; so is a link that
 * was still searching. A parallel link may find several moves equally good
 * (MoveChoice.candidates). Then the other links choose among these: a running search begins anew,
 * restricted to them, and a move outside of them gives way to the parallel link's first.
 *
 * Each handle is in one of these states:
 *
 *   state      it means                           a link's move      no move    deadline   stop
 *   IDLE       no request                         ignored            ignored    -          -
 *   SEARCHING  link searches                      IDLE or DEFERRING  next link  STOPPING   STOPPING
 *   STOPPING   link was stopped                   IDLE or DEFERRING  next link  next link  -
 *   EXHAUSTED  no link is left; the timer says so -                  -          as a move  -
 *   DEFERRING  a move waits for parallel links    -                  -          IDLE       IDLE
 *
 * "Next link" is SEARCHING, or EXHAUSTED without one. A move of a parallel link leads to IDLE, and
 * a new request to SEARCHING, from every state. */
#pragma once
#include "bot/ops/log.h"
#include "bot/source/source.h"

#include <uv.h>

enum { CHAIN_LINKS_MAX = 32 };

typedef struct {
    Source *source;   /* the chain's from now on, and closed with it */
    bool is_optional; /* asked only where the request's `engines` name it */
    bool is_parallel; /* not the last one */
    bool (*is_wanted)(const MoveRequest *request); /* asked for this one? NULL: for all */
    int64_t timeout_ms; /* how long it may take at most; INT64_MAX: as long as the clock allows */
} ChainLink;

/* On failure (no memory) the links' sources are still the caller's. `count` 1..CHAIN_LINKS_MAX. */
bool chain_new(Source **out, uv_loop_t *loop, Log *log, const ChainLink *links, size_t count,
               Error *err) MUST_CHECK;
