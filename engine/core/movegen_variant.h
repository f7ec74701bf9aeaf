/* SPDX-License-Identifier: GPL-3.0-or-later */
/* movegen_variant.h - the lists of movegen.h where the rules are not the standard ones; also for
 * outcome.c. */
#pragma once
#include "engine/core/movegen_lists.h"

/* The list of that kind; none of a finished game. */
void movegen_variant(const Position *pos, MoveList *list, Kind kind);

/* How many legal moves there would be if no rule of the variant's own had ended the game. */
int movegen_variant_count(const Position *pos);
