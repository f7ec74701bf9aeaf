/* SPDX-License-Identifier: GPL-3.0-or-later */
/* position_search.h - our engine for positions of finished games: one after the other, each with so
 * many nodes, on one thread that makes way for others. Figures repeat: only what was
 * searched since position_search_begin() decides them. Blocking; for commands. */
#pragma once
#include "engine/search/engine.h"

typedef struct PositionSearch PositionSearch;

enum { POSITION_SEARCH_HASH_MIB = 32 };

typedef enum {
    POSITION_SEARCH_WAITED_FOR, /* by somebody at a terminal: games come first, but it goes on */
    POSITION_SEARCH_SPARE,      /* only where no other wants the core */
} PositionSearchPriority;

bool position_search_new(PositionSearch **out, PositionSearchPriority priority,
                         Error *err) MUST_CHECK;
void position_search_free(PositionSearch *search); /* NULL is fine */

/* Another game: what was found before is forgotten. */
void position_search_begin(PositionSearch *search);

/* The best move (MOVE_NONE: there is none) with its score for the side to move, and the depth. A
 * side without moves is mated at -SCORE_MATE, or it is a draw. */
void position_search_go(PositionSearch *search, const Position *pos, uint64_t nodes,
                        SearchResult *out);
