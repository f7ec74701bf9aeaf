/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summing.h - how the parts become one number. Apart from the rest because the trace rebuilds the
 * value through the same functions, from counts and weights alone. */
#pragma once
#include "engine/core/piece.h"
#include "engine/eval/classical/tapered.h"

enum { PHASE_MAX = 24, SCALE_NORMAL = 128, SCALE_DRAW = 0 };
enum { DANGER_MG_DIVISOR = 1024, DANGER_EG_DIVISOR = 16 };

/* What danger costs: the square of it in the middlegame, where attackers work together. */
static inline Tapered summing_danger(Tapered danger)
{
    int mg = tapered_mg(danger), eg = tapered_eg(danger);
    mg = mg > 0 ? (int)((int64_t)mg * mg / DANGER_MG_DIVISOR) : 0;
    eg = eg > 0 ? eg / DANGER_EG_DIVISOR : 0;
    return TAPERED(mg, eg);
}

/* The endgame's value after complexity moved it: at least nothing of it stays, at most twice of it,
 * so that the value has no step at zero. */
static inline int summing_endgame(Tapered score, Tapered complexity)
{
    int eg = tapered_eg(score), size = eg > 0 ? eg : -eg, bonus = tapered_eg(complexity);
    bonus = bonus > size ? size : bonus < -size ? -size : bonus;
    return eg > 0 ? eg + bonus : eg - bonus;
}

/* Centipawns for White. */
static inline int summing_taper(int mg, int eg, int phase, int scale)
{
    if (scale == SCALE_DRAW)
        return 0;
    return (mg * phase + eg * scale / SCALE_NORMAL * (PHASE_MAX - phase)) / PHASE_MAX;
}
