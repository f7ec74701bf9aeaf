/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - what one call of search_node() knows, for the steps that it is made of.
 * Internal to engine/search. */
#pragma once
#include "engine/search/search.h"

typedef struct {
    NodeKind kind;
    bool is_pv; /* the root is one too */
    int alpha, beta, first_alpha;
    int depth;
    TtEntry tt;
    bool tt_noisy; /* its move is a capture or promotion */
    int raw_eval;  /* as the table remembers it */
    int estimate;  /* the evaluation, made better by the table's score */
    bool improving;
    int move_number; /* of the move in work, from 1 */
    int best_score;
    int best_possible; /* as the tablebases know */
    Move best_move;
    int next_root; /* index of the next root move */
} Node;

static inline const Params *params_of(const Worker *worker)
{
    return worker_params(worker);
}

static inline int max_of(int a, int b)
{
    return a > b ? a : b;
}

static inline int min_of(int a, int b)
{
    return a < b ? a : b;
}
