/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builtin_engine.h - our own engine as a source of moves.
 *
 * A game has an engine while it thinks, if possible the one that it had before, which remembers.
 * So there are as many engines as games that think at the same time, those that rest are kept only
 * up to the number of threads, and a game whose opponent thinks costs next to nothing. Threads and
 * hash are totals: the hash is one for all, and a search that starts gets its share of the threads
 * among the searches that run then. One that gives way takes nothing from that: it has threads of
 * its own, which run below the others' on what these leave. Where an order wants it and cores are
 * free, a game ponders on the reply that it expects: after a hit the answer comes at once, if it
 * was thought about for as long as the move before; a search that needs the cores ends pondering.
 * On a move that somebody else found it ponders as well: on the reply that they expect, or it did
 * itself if it was about to play the same, else on whatever the opponent may do. Where memory does
 * not suffice there is less hash, down to 1 MiB; where there is none for one more engine, a game
 * waits for the next one that is free. The search threads run at a lower priority than the loop, so
 * that a full machine adds nothing to a move's way. */
#pragma once
#include "bot/source/engine_pool.h"
#include "bot/source/source.h"

#include <uv.h>

/* How many cores we may use. */
int builtin_engine_cores(void);

/* A new source with one engine ready. source_close() ends it, and frees its tablebase. */
bool builtin_engine_new(Source **out, uv_loop_t *loop, const EnginePoolOptions *options,
                        Error *err) MUST_CHECK;
