/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_weights.h - the numbers of variant_evaluation.c: centipawns in the middlegame and in the
 * endgame, one record for each variant without a network of its own. Private to the evaluation. */
#pragma once
#include "engine/core/ruleset.h"

typedef struct {
    int mg, eg;
} Weight;

enum { GOAL_STEPS = 10 };

typedef struct {
    int network;                       /* per cent of the network's value that is added */
    Weight material[PIECE_TYPE_COUNT]; /* on the board */
    Weight mobility[PIECE_TYPE_COUNT]; /* a square that may be gone to */
    Weight hanging;                    /* an attacked piece without a defender */
    Weight hanging_pawn;               /* the same of a pawn */
    Weight by_pawn;                    /* a piece attacked by a pawn */
    Weight supported;                  /* a pawn beside or before another, a rank of its own */
    Weight blocked;                    /* a pawn with an enemy before it */
    int passed;                        /* per cent of the passed pawns' table */
    int places;                        /* per cent of the piece-square tables */
    int king_place;                    /* per cent of the king's */
    int danger;                        /* per cent of what king danger costs */
    int goal[GOAL_STEPS]; /* the king so many safe steps from its goal; or so many checks given */
    Weight approach;      /* a rank or ring nearer to the goal, however safe */
    Weight check;         /* a square to give check from, once more for each check given */
    Weight safe_check;    /* one that the enemy does not attack, besides */
    Weight tempo;
} VariantWeights;

extern const VariantWeights variant_weights[RULESET_COUNT];

/* By kind of piece, the rank from the side's own view and the distance of the file to the edge. */
extern const Weight variant_places[KING][8][4];
extern const Weight variant_horde_places[8][4]; /* the same for the pawns of the horde */
extern const Weight variant_king_places[8][8];  /* [rank][file] */
extern const Weight variant_passed[8];          /* [rank] */
