/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - when a game of the engine against itself is given up: both sides have agreed on its
 * result for so long that the rest would only cost time. Pure. */
#pragma once
#include "engine/core/outcome.h"

#include <stdlib.h>

/* Centipawns, and plies in a row. */
typedef struct {
    int won_score, won_plies;
    int drawn_score, drawn_plies;
    int drawn_from_ply; /* of the game: not earlier */
} VerdictRules;

typedef struct {
    int won[COLOUR_COUNT], drawn; /* plies in a row so far */
} Verdict;

enum { VERDICT_OPEN = -1 };

/* White's points in halves where the game is over by the rules. */
static inline int verdict_by_rules(const Position *pos)
{
    Outcome outcome = position_outcome(pos);
    if (outcome == OUTCOME_CHECKMATE || outcome == OUTCOME_VARIANT_LOSS)
        return pos->side_to_move == WHITE ? 0 : 2;
    if (outcome == OUTCOME_VARIANT_WIN)
        return pos->side_to_move == WHITE ? 2 : 0;
    return outcome != OUTCOME_NONE ? 1 : VERDICT_OPEN;
}

/* The same where both sides agree: `white_score` is what the side to move thinks, `ply` the game's,
 * from 0. Called once for each ply; *verdict begins as zeros. */
static inline int verdict_by_scores(Verdict *verdict, const VerdictRules *rules, int white_score,
                                    int ply)
{
    verdict->won[WHITE] = white_score > rules->won_score ? verdict->won[WHITE] + 1 : 0;
    verdict->won[BLACK] = white_score < -rules->won_score ? verdict->won[BLACK] + 1 : 0;
    bool is_level = ply >= rules->drawn_from_ply && abs(white_score) <= rules->drawn_score;
    verdict->drawn = is_level ? verdict->drawn + 1 : 0;
    if (verdict->won[WHITE] >= rules->won_plies)
        return 2;
    if (verdict->won[BLACK] >= rules->won_plies)
        return 0;
    return verdict->drawn >= rules->drawn_plies ? 1 : VERDICT_OPEN;
}
