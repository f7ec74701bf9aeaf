/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extend.h - which moves to look deeper at.
 * Internal to engine/search; on the worker's thread. */
#pragma once
#include "engine/search/node.h"

/* By how many plies to extend the move (it may be fewer than none), in *extension. True when the
 * test of that settles the whole node: then *score is the node's, and the move need not be
 * searched. */
bool extend_move(Worker *worker, Frame *frame, const Node *node, Move m, int *extension,
                 int *score);
