/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.h - what a search's score means. Centipawns for the side to move; the ends of the range are
 * results that are certain:
 *
 *     |score| >= SCORE_MATE_BOUND       mate in SCORE_MATE - |score| plies
 *     |score| >= SCORE_TABLEBASE_BOUND  below that: a tablebase win reached in
 *                                       SCORE_TABLEBASE - |score| plies
 *
 * Static evaluations stay below EVAL_LIMIT (evaluation.h), so that they are never taken for either.
 */
#pragma once
#include <stdbool.h>

enum { MAX_PLY = 128 /* deepest ply a search reaches */ };

enum {
    SCORE_DRAW = 0,
    SCORE_TABLEBASE = 30000,
    SCORE_TABLEBASE_BOUND = SCORE_TABLEBASE - MAX_PLY,
    SCORE_MATE = 32000,
    SCORE_MATE_BOUND = SCORE_MATE - MAX_PLY,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002, /* no score is known */
};

/* How a score bounds the position's value. */
typedef enum { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER } ScoreBound;

static inline bool score_is_mate(int score)
{
    return score >= SCORE_MATE_BOUND || score <= -SCORE_MATE_BOUND;
}

/* A mate or a tablebase result, as opposed to an evaluation. */
static inline bool score_is_decided(int score)
{
    return score >= SCORE_TABLEBASE_BOUND || score <= -SCORE_TABLEBASE_BOUND;
}

/* A score from another path to a position `ply` plies from the root, `plies_left` before the
 * fifty-move draw. A decided result that lies beyond the draw is not certain here: it becomes the
 * best, or the worst, of what is undecided. */
static inline int score_before_fifty_moves(int score, int ply, int plies_left)
{
    if (score == SCORE_NONE || !score_is_decided(score))
        return score;
    int magnitude = score < 0 ? -score : score;
    int plies = (score_is_mate(score) ? SCORE_MATE : SCORE_TABLEBASE) - magnitude - ply;
    if (plies <= plies_left)
        return score;
    return score < 0 ? -(SCORE_TABLEBASE_BOUND - 1) : SCORE_TABLEBASE_BOUND - 1;
}
