/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - the state of one call of search_node() or search_quiescence(), and the steps that both
 * take. Internal to engine/search; on the worker's thread. */
#pragma once
#include "engine/search/search.h"

typedef struct {
    NodeKind kind;
    bool is_pv; /* the root is one too */
    int alpha, beta, original_alpha;
    int depth; /* in quiescence TT_DEPTH_QUIESCENCE */
    TtEntry tt;
    bool tt_pv;    /* to be stored with the result */
    bool tt_noisy; /* its move is a capture or promotion */
    int raw_eval;  /* static evaluation as the TT stores it, not corrected */
    int eval;      /* static evaluation, refined by the TT's score */
    bool improving;
    bool worsening; /* the opponent's last move lost something, by both evaluations */
    int correction; /* centipawns by which the static evaluation was corrected, either way */
    int move_count; /* moves tried so far, the current one included */
    int best_score;
    int max_score; /* upper bound from the tablebases */
    Move best_move;
    int root_index; /* index of the next root move */
} Node;

/* Sets the static evaluations of a node, ss->static_eval too, from the TT's entry or newly
 * evaluated; SCORE_NONE in check. */
void node_evaluate(Worker *worker, SearchStack *ss, Node *node);

/* How best_score bounds the node's score. */
static inline ScoreBound node_bound(const Node *node)
{
    if (node->best_score >= node->beta)
        return BOUND_LOWER;
    return node->best_score > node->original_alpha ? BOUND_EXACT : BOUND_UPPER;
}

/* Stores the node's result in the transposition table. */
void node_store(Worker *worker, const SearchStack *ss, const Node *node, ScoreBound bound);
