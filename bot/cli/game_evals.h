/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_evals.h - what the positions of a finished game are worth, by our engine or another. From
 * the last one back to the first, so that what comes later is known when a position is searched.
 * Blocking. */
#pragma once
#include "bot/archive/store_analysis.h"
#include "bot/cli/position_search.h"
#include "bot/cli/uci_judge.h"

enum { GAME_EVALS_NODES = 200000 }; /* for a position: a tenth of a second or two */

/* Called before each position; `left` of them are still to be searched. */
typedef void GameEvalsOnPosition(void *user, size_t left);

/* Who searches: the judge, or our engine where that is NULL. */
typedef struct {
    PositionSearch *search;
    UciJudge *judge;
} GameEvalsBy;

/* `out`: record->count + 1 of them. False and an Error where our rules don't reach the game's end:
 * a variant that our engine does not play, or a damaged record; or where the judge fails. */
bool game_evals_search(GameEvalsBy by, const GameRecord *record, uint64_t nodes,
                       GameEvalsOnPosition *on_position, void *user, PositionEval *out,
                       Error *err) MUST_CHECK;

/* The same, out of the archive where it keeps an analysis with so many nodes or more. *search is
 * made where it is needed and NULL; the caller's. */
bool game_evals_get(Store *store, PositionSearch **search, const GameRecord *record, uint64_t nodes,
                    GameEvalsOnPosition *on_position, void *user, PositionEval *out,
                    Error *err) MUST_CHECK;
