/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_traits.h - what the small network of people's moves looks at: the position, as a list of
 * input rows, and each of its moves, as a list of traits that are shared between moves ("a knight
 * to f5", "takes a queen with a pawn"). All from the mover's side. Chess only. Pure. */
#pragma once
#include "engine/human/human_view.h"

enum {
    TRAITS_INPUTS = 12 * SQUARE_COUNT + 2 * SQUARE_COUNT + 4 + 8 + 9 + 2 * SQUARE_COUNT,
    TRAITS_INPUTS_MAX = 2 * SQUARE_COUNT + 8, /* that one position has */
    TRAITS_OF_A_MOVE = 26,
    TRAITS_COUNT = 1923,
};

/* What does not change from move to move. */
typedef struct {
    const Position *pos;
    Bitboard last_from, last_to; /* of the opponent's last move; 0: not known */
    Bitboard own_from, own_to;   /* of our move before it */
    Bitboard last_attacks;       /* what the opponent's piece that moved last attacks */
    Bitboard hanging[2];         /* ours and theirs: attacked by a cheaper piece, or unguarded */
    bool was_capture;            /* the opponent's */
} TraitsView;

/* `pos` is the newest position of the history. Both are lent to the view. */
TraitsView traits_view(const HumanHistory *history, const Position *pos);

/* Fills in the rows, each below TRAITS_INPUTS, for a mover of some rating, 0 where
 * it is not known; returns how many. */
int traits_inputs(uint16_t rows[TRAITS_INPUTS_MAX], const TraitsView *view, int elo);

/* Fills in the traits of a legal move, each below TRAITS_COUNT. */
void traits_of_move(uint16_t traits[TRAITS_OF_A_MOVE], const TraitsView *view, Move m);
