/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - the tree: principal variation search and quiescence below it. Both return the score of
 * the position at `ss` for the side to move, fail-soft: a score outside (alpha, beta) is a bound.
 * Once search_stopped() is true, what they return means nothing. Internal to engine/search; on the
 * worker's thread.
 * After: chessprogramming.org, "Principal Variation Search", "Quiescence Search". */
#pragma once
#include "engine/search/worker.h"

typedef enum {
    NODE_ROOT,
    NODE_PV,  /* on what may become the principal variation: the window is open */
    NODE_CUT, /* expected to fail high */
    NODE_ALL, /* expected to fail low */
} NodeKind;

/* The score after `depth` more plies, as extended and reduced. The root searches the root moves
 * from the worker's pv_index on and leaves scores and lines there. */
int search_node(Worker *worker, SearchStack *ss, int alpha, int beta, int depth, NodeKind kind);

/* The score when only captures, promotions and answers to check are tried. */
int search_quiescence(Worker *worker, SearchStack *ss, int alpha, int beta, NodeKind kind);
