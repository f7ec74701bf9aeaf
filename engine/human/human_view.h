/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_view.h - a position as the policy networks of Lc0's classical input format see it: 112
 * planes of 64 squares, among them the last eight positions, all from the mover's side; and where
 * the network's output has a move. Chess from the usual start and from FENs; Chess960 as far as its
 * castling is written as king takes rook. Pure values.
 * After: the input and policy formats of github.com/LeelaChessZero/lc0. */
#pragma once
#include "engine/core/position.h"

enum {
    HUMAN_PLANES = 112,
    HUMAN_POSITIONS = 8,     /* that a view looks back on, the present one included */
    HUMAN_OUTPUT_PLANES = 80 /* of 64 squares; moves have 73 of them */
};

/* The board of one position. */
typedef struct {
    Bitboard pieces[COLOUR_COUNT][PIECE_TYPE_COUNT];
    bool is_repeated; /* it had been on the board before */
} HumanBoard;

/* The latest positions of a game. A plain value: copy it freely. */
typedef struct HumanHistory {
    HumanBoard boards[HUMAN_POSITIONS]; /* the newest first */
    int count;
    bool begins_before; /* the first position was no game's start: it stands for those before it, */
    HumanBoard before;  /* … in this form */
} HumanHistory;

/* A game that begins at `first`. `en_passant` is the square behind a pawn that has just moved two
 * squares, whether or not it can be taken there, as a FEN may name one; SQUARE_NONE. */
void human_history_init(HumanHistory *history, const Position *first, Square en_passant);

/* That square of a FEN that was read already. */
Square human_en_passant_of(const char *fen);

/* The position after one more move. */
void human_history_push(HumanHistory *history, const Position *pos);

/* A plane has `value` on `squares`, and 0 elsewhere. */
typedef struct {
    Bitboard squares; /* from the mover's side: ranks are turned round for Black */
    float value;
} HumanPlane;

/* `pos` is the newest position of the history. */
void human_planes(HumanPlane planes[HUMAN_PLANES], const HumanHistory *history,
                  const Position *pos);

/* Index of a legal move in the output: plane * 64 + square. */
int human_output_index(const Position *pos, Move m);
