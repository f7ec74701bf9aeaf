/* SPDX-License-Identifier: GPL-3.0-or-later */
/* searched_positions.h - positions that our search asks its evaluation for on the way to a move:
 * what a network has to judge, mistakes and their refutations included. */
#pragma once
#include "engine/train/game_positions.h"

typedef struct SearchedPositions SearchedPositions;

/* With an engine of its own, which has the network that is built in. The caller frees. */
bool searched_positions_new(SearchedPositions **out, Error *err) MUST_CHECK;
void searched_positions_free(SearchedPositions *searched);

/* Forgets the game before: what is found next depends on the positions from here on alone. */
void searched_positions_begin(SearchedPositions *searched);

/* Searches `pos` with SEARCHED_NODES nodes and writes `count` of the positions that were evaluated,
 * drawn at random by the key of `pos`; fewer where there were fewer. Returns how many. None of
 * them is in check. */
enum { SEARCHED_NODES = 100 };
int searched_positions(SearchedPositions *searched, const Position *pos, int count,
                       Position found[BESIDE_MAX]);
