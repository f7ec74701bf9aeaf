/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin_engine.h - our own engine as a source of moves.
 *
 * There are as many engines as games that search at the same time. A game whose opponent is to move
 * has none, and gets the one that it had before if that is free, for what it remembers. Idle
 * engines are kept up to the number of threads. Threads and hash are totals: all engines share one
 * hash, and a search gets its share of the threads when it starts.
 *
 * If a request wants it and cores are idle, the engine ponders the expected reply. On a ponder hit
 * it answers at once if it has pondered for as long as its previous search took. A search that
 * needs the cores ends pondering. After another source's move it ponders the reply that this source
 * expects, or its own if it was about to play the same, or else the position after the move.
 *
 * Without memory for the hash there is less of it, down to 1 MiB; without memory for one more
 * engine a game waits for the next one that is free. Search threads run at a lower priority than
 * the loop, so that a full machine does not delay a move.
 *
 * Each handle is in one of these states:
 *
 *   state      on search             on stop       on ponder        on free   its search ends
 *   IDLE       WAITING, SEARCHING    -             PONDERING, IDLE  RELEASED  -
 *   WAITING    the request replaced  answer early  as IDLE          RELEASED  -
 *   SEARCHING  ENDING                answer now    ENDING           ENDING    ANSWERING
 *   ANSWERING  WAITING, SEARCHING    -             later            RELEASED  -
 *   PONDERING  SEARCHING (ponder     ENDING        ENDING           ENDING    IDLE
 *              hit), ENDING
 *   ENDING     next: search          next: none    next: ponder     next: free IDLE, then the next
 *
 * A search of another game turns PONDERING into ENDING; an engine that becomes free turns WAITING
 * into SEARCHING. ANSWERING is a handle whose callback runs; after it the handle is IDLE. */
#pragma once
#include "bot/source/engine_pool.h"
#include "bot/source/source.h"

#include <uv.h>

/* How many cores we may use. */
int builtin_engine_cores(void);

/* A new source with one engine ready. source_close() ends it, and frees its tablebase and networks.
 */
bool builtin_engine_new(Source **out, uv_loop_t *loop, const EnginePoolOptions *options,
                        Error *err) MUST_CHECK;
