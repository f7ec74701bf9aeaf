/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prune.h - what need not be searched: whole nodes, and moves late in a node.
 * Internal to engine/search; on the worker's thread. */
#pragma once
#include "engine/search/node.h"
#include "engine/search/picker.h"

/* Reverse futility, razoring, null move, ProbCut: true and the node's score when one of them cuts
 * off before any move is searched. */
bool prune_node(Worker *worker, SearchStack *ss, const Node *node, int *score);

/* Late move pruning, futility, history and SEE pruning: true when the move need not be searched at
 * this depth. May also make the picker skip all quiet moves. `history` is a quiet move's
 * history_quiet(). */
bool prune_move(const Worker *worker, const SearchStack *ss, const Node *node,
                const HistoryView *view, Picker *picker, Move m, int history);
