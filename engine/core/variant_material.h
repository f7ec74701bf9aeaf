/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_material.h - who cannot win any more in a variant, as the server judges it: for the
 * records of variant_rules.c. The server leaves out cases on purpose; so does this. */
#pragma once
#include "engine/core/position.h"

bool has_bare_king(const Position *pos, Colour side);
bool bare_kings_only(const Position *pos);

bool antichess_is_dead(const Position *pos);
bool antichess_cannot_win(const Position *pos, Colour side);
bool atomic_is_dead(const Position *pos);
bool horde_is_dead(const Position *pos);
bool horde_cannot_win(const Position *pos, Colour side);
