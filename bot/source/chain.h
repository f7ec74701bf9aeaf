/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - several sources as one: asked in order, the first that answers with a move wins.
 *
 * Each but the last has a deadline. When that has come it is told to stop, which a sound source
 * answers with its best so far; one that does not answer even that is passed over, and its late
 * answer forgotten. The next one is ordered to think on what is left of the clock. So the last one,
 * which is to be our own engine, always gets enough time to find a move.
 *
 * A link that is asked aside is asked together with those after it: its move wins when it comes
 * first, and a move of theirs waits until it has answered. So it has to keep a deadline of its own.
 * It hears what was played, to look ahead while the opponent thinks; so does who was asked when it
 * was first.
 * Where it says that several moves are as good (MoveChoice.among), the choice is left to the
 * others: who thinks is ordered anew to think about these alone, so that all its time from then on
 * goes into moves that can be played. Whoever then, or before, came up with another one is not
 * heard, and the move of the one asked aside is played. */
#pragma once
#include "bot/source/source.h"

#include <uv.h>

enum { CHAIN_LINKS_MAX = 32 };

typedef struct {
    Source *source;     /* the chain's from now on, and closed with it */
    bool is_optional;   /* asked only where the order's `engines` name it */
    bool is_parallel;   /* not the last one; asked only where the order names services on the web */
    int64_t timeout_ms; /* how long it may take at most; INT64_MAX: as long as the clock allows */
} ChainLink;

/* On failure (no memory) the links' sources are still the caller's. `count` 1..CHAIN_LINKS_MAX. */
bool chain_new(Source **out, uv_loop_t *loop, const ChainLink *links, size_t count,
               Error *err) MUST_CHECK;
