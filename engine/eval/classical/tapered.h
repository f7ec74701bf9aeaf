/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tapered.h - two values in one integer: what counts in the middlegame and what in the endgame, in
 * centipawns. They are added, subtracted and multiplied by a count with plain arithmetic, both at
 * once; each half holds any sum within ±2^30.
 * After: chessprogramming.org, "Tapered Eval". */
#pragma once
#include <stdint.h>

typedef int64_t Tapered;

#define TAPERED(mg, eg) ((Tapered)(eg) * ((Tapered)1 << 32) + (Tapered)(mg))

static inline int tapered_mg(Tapered value)
{
    return (int32_t)(uint32_t)(uint64_t)value;
}

/* A negative lower half has borrowed one from the upper. */
static inline int tapered_eg(Tapered value)
{
    return (int32_t)((value + 0x80000000LL) >> 32);
}
