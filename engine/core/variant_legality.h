/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_legality.h - checks and legality where the rules are not the standard ones. For
 * engine/core only: other code asks position.h, which asks here. */
#pragma once
#include "engine/core/variant_rules.h"

/* Like pins_find(), by the variant's rules: no checks for a side without a royal king, and none in
 * atomic while the kings touch. `pinned` is what chess calls pinned. */
void variant_find_checks(const Position *pos, Colour us, Bitboard *checkers, Bitboard *pinned);

/* All squares that the side not to move attacks; the king of `us` blocks no slider. In atomic, the
 * squares to which our king cannot go without capture. */
Bitboard variant_threats(const Position *pos, Colour us);

/* The squares that a piece of the side to move may be dropped on, as far as checks go. */
Bitboard variant_drop_targets(const Position *pos);

/* `m` has the form of a drop. */
bool variant_drop_is_pseudo_legal(const Position *pos, Move m);

/* Can the side to move capture anything, pins and checks aside? */
bool variant_can_capture(const Position *pos);

/* `m` is pseudo-legal and a rule beyond chess's may forbid or allow it. */
bool variant_is_legal(const Position *pos, Move m);

bool variant_gives_check(const Position *pos, Move m);
