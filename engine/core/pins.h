/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.h - checks and pins of one king in one walk over the sliders that look at it. For
 * engine/core only: other code reads Position.checkers and Position.pinned. */
#pragma once
#include "engine/core/attacks.h"
#include "engine/core/position.h"

/* Sets *checkers to the enemies that attack the king of `us`, *pinned to its own pieces that alone
 * stand between it and an enemy slider. No branch depends on what a slider sees: they would be hard
 * to predict. */
static inline void pins_find(const Position *pos, Colour us, Bitboard *checkers, Bitboard *pinned)
{
    const Bitboard *enemy = pos->pieces[us ^ 1];
    Square king = position_king(pos, us);
    const SquareAttacks *from = &attacks_from[king];
    Bitboard snipers = (from->rook_rays & (enemy[ROOK] | enemy[QUEEN])) |
                       (from->bishop_rays & (enemy[BISHOP] | enemy[QUEEN]));
    Bitboard checks = (from->knight & enemy[KNIGHT]) | (from->pawn[us] & enemy[PAWN]);
    Bitboard pins = 0;
    while (snipers) {
        Square sniper = bitboard_pop(&snipers);
        Bitboard between = attacks_between(king, sniper) & pos->occupied;
        checks |= (Bitboard)(between == 0) << sniper;
        pins |= bitboard_many(between) ? 0 : between;
    }
    *checkers = checks;
    *pinned = pins & pos->occupied_by[us];
}
