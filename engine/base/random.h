/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.h - numbers that look random, the same ones for the same seed: for choices in play and for
 * jitter, never for secrets. The state is the caller's; any value is a good seed.
 * After: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (SplitMix64). */
#pragma once
#include <stdint.h>

/* The next number of the sequence that *state holds. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

/* A number from 0 to limit - 1; `limit` is at least 1. Uneven by at most limit / 2^64. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return random_next(state) % limit;
}
