/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score_text.h - scores, as engine/search/engine.h has them, in the words of people: pawns, and
 * moves to mate. For whom a score is, its owner knows; none of this turns it. Pure: any thread. */
#pragma once
#include "engine/search/engine.h"

#include <stdint.h>

/* A mate in that many moves; negative: of the other side; 0: we are mated. More than a search can
 * see is cut. */
int score_of_mate(int64_t moves);

/* The same back: 0 where somebody is mated already, or where it is no mate. */
int score_mate_moves(int score);

enum { SCORE_TEXT_SIZE = 16 };

/* "+0.31", "-12.50", "#5", "#-3"; "mate" where it stands on the board, "" for SCORE_NONE. Returns
 * `out`. */
const char *score_text(int score, char out[SCORE_TEXT_SIZE]);
