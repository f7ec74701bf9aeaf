/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_choice.h - a move as a person would choose it: a policy network's probabilities for the
 * style, a short search for what the person calculates.
 *
 * A move's weight is its probability (sharpened by a temperature) times exp(beta * (w - best w)),
 * where w are winning chances after the move, -1 to 1. That is the choice nearest to the network's
 * (in KL divergence) for the chances that it gains. Beta 0 is the network alone; the larger it is,
 * the more the search decides. Pure. After: Jacob and others, "Modeling Strong and Human-Like
 * Gameplay with KL-Regularized Search", 2022; winning chances as github.com/lichess-org/lila has
 * them. */
#pragma once
#include "engine/core/movegen.h"
#include "engine/search/score.h"

#include <stdint.h>

typedef struct {
    double beta;
    double temperature; /* by which the logarithms of the probabilities are divided */
    double floor;       /* moves that the network holds for less likely are not played */
    uint64_t nodes;     /* of the search */
    int lines;          /* that it scores */
    bool has_few_men;
    double technique; /* probability of the best line's move, whatever the network says */
} HumanLimit;

/* What the probabilities are of. */
typedef enum {
    PRIOR_OF_ONE_RATING,  /* a large network for each rating, as Maia's: the table is made with them
                           */
    PRIOR_OF_ALL_RATINGS, /* our own: it sees less by itself, so the search has more of a say */
    PRIOR_COUNT
} HumanPrior;

/* For a rating, ELO_MIN to ELO_MAX; 0: the network alone. */
HumanLimit human_limit_for(int elo, HumanPrior prior, bool takes_likeliest);

/* What the position asks for before the search. Where the side to move has a rook more, at least,
 * and few men are left, people have learnt what to do, but networks shuffle and stalemate: the
 * search looks for fewer moves, farther. The network alone (beta 0) stays as it is, here and below.
 */
HumanLimit human_limit_in(HumanLimit limit, const Position *pos);

/* What is known after it: the best line's score, and how many moves each side has made without a
 * capture or a pawn's move. The longer it takes to win, the more a person thinks. */
HumanLimit human_limit_after(HumanLimit limit, int best_score, int quiet_moves);

typedef struct {
    float probability; /* the network's */
    int score;         /* the search's, an average over its iterations: people believe what a deep
                          look and a short one say. SCORE_NONE: it has none, and the move counts as
                          the worst */
} HumanMove;

enum { HUMAN_MOVES_MAX = MAX_MOVES }; /* the server may send positions beyond any game */

/* Index of the chosen one of 1..HUMAN_MOVES_MAX moves, of which the search holds the first for the
 * best: the likeliest, or one drawn with `seed`. */
int human_choose(const HumanMove moves[], int count, const HumanLimit *limit, bool takes_likeliest,
                 uint64_t seed);
