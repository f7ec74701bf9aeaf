/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perft_parallel.h - perft on several threads, with a table of what was counted before: for deep
 * checks of the rules, not for measuring their speed. The table is shared without locks. An entry
 * is two relaxed atomics, the second of which is the key mixed with the first. An entry with halves
 * of two threads matches no key and is not used. Two positions with the same 64-bit key would be
 * counted as one; no known count is wrong for that. */
#pragma once
#include "engine/core/position.h"

typedef struct {
    int threads;  /* 1..PERFT_MAX_THREADS */
    int hash_mib; /* 0: no table; at most PERFT_MAX_HASH_MIB */
} PerftOptions;

enum { PERFT_MAX_THREADS = 256, PERFT_MAX_HASH_MIB = 1 << 20 };

/* Like perft(); false and an Error without memory or threads. */
bool perft_parallel(const Position *pos, int depth, const PerftOptions *options, uint64_t *leaves,
                    Error *err) MUST_CHECK;
