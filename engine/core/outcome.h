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
    OUTCOME_THREEFOLD,    /* claimable; Lichess claims at once when a bot plays */
    OUTCOME_FIFTY_MOVES,  /* claimable; Lichess ends the game */
    OUTCOME_VARIANT_LOSS, /* the side to move has lost by a rule of the variant's own */
    OUTCOME_VARIANT_WIN,  /* … has won: in antichess without men or moves, in a lost race's end */
    OUTCOME_VARIANT_DRAW, /* … both kings have arrived */
} Outcome;

/* The strongest of the above that holds: mate first, then a variant's own rule, then stalemate,
 * then draws. In crazyhouse the clock of 50 moves never counts. */
Outcome position_outcome(const Position *pos);

/* Lower-case words for logs: "checkmate", "threefold repetition", … */
const char *outcome_text(Outcome outcome);

/* How many plies back an equal position may be found. In crazyhouse captures and drops undo each
 * other, so that only the known keys are a limit. */
uint32_t position_repetition_reach(const Position *pos);

/* How often the position stood on the board before, as far as its keys reach. */
int position_repetitions(const Position *pos);

/* Kings alone, or with one minor, or bishops all on squares of one colour; in variants, what the
 * server takes for a position that nobody can win. */
bool position_insufficient_material(const Position *pos);
