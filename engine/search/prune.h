/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prune.h - what need not be searched: whole nodes, and moves late in a node.
 * Internal to engine/search; on the worker's thread. */
#pragma once
#include "engine/search/node.h"
#include "engine/search/picker.h"

/* Ways to settle the whole node without looking at its moves: true and its score when one does. */
bool prune_node(Worker *worker, Frame *frame, const Node *node, int *score);

/* Is this late, quiet-looking or losing move not worth a search at so little depth? It may tell the
 * picker, too, that no quiet move is. */
bool prune_move(const Worker *worker, const Frame *frame, const Node *node, const HistoryView *view,
                Picker *picker, Move m);
