/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - what one call of search_node() knows, for the steps that it is made of.
 * Internal to engine/search. */
#pragma once
#include "engine/search/search.h"

typedef struct {
    NodeKind kind;
    bool is_pv; /* the root is one too */
    int alpha, beta, original_alpha;
    int depth;
    TtEntry tt;
    bool tt_noisy; /* its move is a capture or promotion */
    int raw_eval;  /* static evaluation as the TT stores it, not corrected */
    int eval;      /* static evaluation, refined by the TT's score */
    bool improving;
    int move_count; /* moves tried so far, the current one included */
    int best_score;
    int max_score; /* upper bound from the tablebases */
    Move best_move;
    int root_index; /* index of the next root move */
} Node;
