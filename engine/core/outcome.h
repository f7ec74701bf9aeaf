/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outcome.h - is the game over, and how. */
#pragma once
#include "engine/core/position.h"

typedef enum {
    OUTCOME_NONE,
    OUTCOME_CHECKMATE, /* the side to move has lost */
    OUTCOME_STALEMATE,
    OUTCOME_INSUFFICIENT_MATERIAL, /* no sequence of moves leads to mate, by material alone */
    OUTCOME_FIVEFOLD,
    OUTCOME_SEVENTY_FIVE_MOVES,
    OUTCOME_THREEFOLD,   /* claimable; Lichess claims at once when a bot plays */
    OUTCOME_FIFTY_MOVES, /* claimable; Lichess ends the game */
} Outcome;

/* The strongest of the above that holds: mate and stalemate before all draws. */
Outcome position_outcome(const Position *pos);

/* Lower-case words for logs: "checkmate", "threefold repetition", … */
const char *outcome_text(Outcome outcome);

/* How often the position stood on the board before, as far as its keys reach. */
int position_repetitions(const Position *pos);

/* Kings alone, or with one minor, or bishops all on squares of one colour. */
bool position_insufficient_material(const Position *pos);
