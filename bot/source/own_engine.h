/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_engine.h - our own engine as a source of moves.
 *
 * A game has an engine while it thinks, if possible the one that it had before, which remembers.
 * So there are as many engines as games that think at the same time, and a game whose opponent
 * thinks costs next to nothing. Threads and hash are totals: threads are divided among the games
 * that are played, hash among those that are accepted at once; games beyond these get small
 * engines, because a game that exists is played. Where memory does not suffice an engine gets less
 * hash, down to 1 MiB; where there is not even that for one more, a game waits for the next one
 * that is free. The search threads run at a lower priority than the loop, so that a full machine
 * adds nothing to a move's way. */
#pragma once
#include "bot/source/source.h"

#include <uv.h>

typedef struct {
    int threads;  /* in total; 0: one for each core that we may use */
    int hash_mib; /* in total */
    int games;    /* expected at once, 1.. */
    /* An engine got less hash than it should have; may be NULL. */
    void (*on_less_hash)(void *user, int wanted_mib, int got_mib);
    void *user;
} OwnEngineOptions;

/* A new source with one engine ready. source_close() ends it. */
bool own_engine_new(Source **out, uv_loop_t *loop, const OwnEngineOptions *options,
                    Error *err) MUST_CHECK;
