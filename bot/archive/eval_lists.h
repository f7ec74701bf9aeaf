/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_lists.h - what the positions of a game are worth, as the archive keeps it: lists of words
 * with a blank between, one word for each position from the initial one on, "-" where there is
 * nothing to say:
 *
 *     scores  31 28 -250 #5 #-3 #0     (centipawns or moves to mate, for White; "#0" and "#-0": a
 *     depths  14 15 13 20 22 0          side is mated)
 *     best    e2e4 c7c5 g1f3 d1h5 e8e7 -
 *
 * Pure. */
#pragma once
#include "bot/review/analysis.h"
#include "engine/base/buf.h"

typedef enum {
    EVAL_LIST_SCORES,
    EVAL_LIST_DEPTHS,
    EVAL_LIST_BEST,
    EVAL_LIST_COUNT,
} EvalListKind;

/* Of `count` positions. False without memory. */
bool eval_list_write(const PositionEval *evals, size_t count, EvalListKind kind,
                     Buf *out) MUST_CHECK;

/* Reads a list over the evaluations, which begin as {.score = SCORE_NONE}. False when it is not
 * such a list of `count` words; what was read up to there stays. */
bool eval_list_read(PositionEval *evals, size_t count, EvalListKind kind, Text list) MUST_CHECK;
