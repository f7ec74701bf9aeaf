/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extend.h - which moves to look deeper at.
 * Internal to engine/search; on the worker's thread. */
#pragma once
#include "engine/search/node.h"

/* By how many plies to extend the move, in *extension; negative to reduce it. True when the
 * singular search proves a multi-cut: then *score is the node's score and the move need not be
 * searched. */
bool extend_move(Worker *worker, SearchStack *ss, const Node *node, Move m, int *extension,
                 int *score);
