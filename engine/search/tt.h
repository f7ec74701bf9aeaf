/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tt.h - the transposition table: results of earlier searches by position key.
 *
 * Shared by all threads of an engine, and by engines that were given the same one, without locks. A
 * bucket of 32 bytes holds three entries, each one 64-bit word of data and 16 bits of key
 * xor-folded with that word. Both are relaxed atomics. Two threads that write the same entry at
 * once may leave the word of one with the check of the other. The fold then no longer fits (but
 * once in 65,536 times), and the probe misses. What remains is the same as a key collision, and as
 * likely: the score of another position, and a move that the search must test before it makes it.
 * After: R. Hyatt, T. Mann, "A lock-less transposition table". */
#pragma once
#include "engine/base/error.h"
#include "engine/core/move.h"
#include "engine/search/params.h"
#include "engine/search/score.h"

typedef struct Tt Tt;

enum { TT_DEPTH_QUIESCENCE = 0, TT_DEPTH_NONE = -1 /* only an evaluation */ };

typedef struct {
    Move move;        /* MOVE_NONE when unknown; of this position or, rarely, of another */
    int score;        /* as seen from the probing node's ply; SCORE_NONE when unknown */
    int eval;         /* static evaluation before any correction, or SCORE_NONE */
    int depth;        /* TT_DEPTH_NONE..MAX_PLY */
    ScoreBound bound; /* of `score` */
    bool tt_pv;       /* the position is or was on a principal variation */
} TtEntry;

/* A cleared table of `mib` MiB. The operating system gives the memory page by page when first
 * written. */
bool tt_new(Tt **out, int mib, Error *err) MUST_CHECK;
void tt_free(Tt *tt);

/* Empties the table. No search may run. */
void tt_clear(Tt *tt);

/* Empties one of `of` equal shares, counted from 0: each thread can take one at the same time. The
 * first one starts the count of searches anew. */
void tt_clear_share(Tt *tt, int share, int of);

/* Entries of earlier searches become the first to be replaced. Where engines share the table, other
 * searches may run; theirs age with the rest. */
void tt_new_search(Tt *tt);

/* What is known about the position; an entry of nothing (MOVE_NONE, SCORE_NONE, TT_DEPTH_NONE) when
 * it is not. `ply` is the distance from the root, by which mate and tablebase scores
 * are adjusted. */
TtEntry tt_probe(const Tt *tt, uint64_t key, int ply);

/* Does the bound make the score usable in the window (alpha, beta): exact, a lower bound that
 * reaches beta, or an upper bound that does not exceed alpha? */
static inline bool tt_bound_applies(const TtEntry *entry, int alpha, int beta)
{
    if (entry->score == SCORE_NONE)
        return false;
    switch (entry->bound) {
    case BOUND_EXACT:
        return true;
    case BOUND_LOWER:
        return entry->score >= beta;
    case BOUND_UPPER:
        return entry->score <= alpha;
    }
    return false;
}

/* Does the bound make the score a better estimate than the static evaluation `eval`? */
static inline bool tt_refines_eval(const TtEntry *entry, int eval)
{
    return tt_bound_applies(entry, eval - 1, eval + 1);
}

/* Stores the entry in its bucket, by rules whose numbers are in `params` (see params_in_use()).
 * Where a deeper result for the same position is kept, it takes the entry's move. */
void tt_store(Tt *tt, const Params *params, uint64_t key, int ply, const TtEntry *entry);

void tt_prefetch(const Tt *tt, uint64_t key);

/* How many of a thousand entries hold something from this search. */
int tt_hashfull(const Tt *tt);
