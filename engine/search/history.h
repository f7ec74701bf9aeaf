/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - what moves did before, wherever in the tree: the order of moves and much of pruning
 * rest on it. One thread's own. All entries lie within ±HISTORY_MAX: an update moves an entry
 * towards its sign by its bonus, less the nearer the limit ("gravity"), so old news fades.
 * After: chessprogramming.org, "History Heuristic", "Continuation History". */
#pragma once
#include "engine/core/position.h"

enum { HISTORY_MAX = 16384, PAWN_HISTORY_SIZE = 512 };

/* By the piece that moves and the square it goes to. */
typedef int16_t PieceToHistory[PIECE_SLOTS][SQUARE_COUNT];

typedef struct {
    int16_t butterfly[COLOUR_COUNT][SQUARE_COUNT][SQUARE_COUNT];      /* from, to */
    int16_t capture[PIECE_SLOTS][SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* and the victim */
    PieceToHistory pawn[PAWN_HISTORY_SIZE];                           /* by pawn structure */
    PieceToHistory continuation[PIECE_SLOTS][SQUARE_COUNT]; /* by an earlier move's piece and to */
} History;

/* The histories as one node needs them: with the tables of the moves that led there. */
enum { CONTINUATIONS = 4 };
typedef struct {
    History *history;
    PieceToHistory *after[CONTINUATIONS]; /* moves 1, 2, 4 and 6 plies ago */
} HistoryView;

/* Forgets everything. */
void history_clear(History *history);

/* The continuation table for moves that follow one of `piece` to `to`. */
static inline PieceToHistory *history_after(History *history, Piece piece, Square to)
{
    return &history->continuation[piece][to];
}

/* The table for where no move came before: the root's past, a null move. */
static inline PieceToHistory *history_after_nothing(History *history)
{
    return &history->continuation[PIECE_NONE][0];
}

/* How well a quiet move did, by all tables together. For the order of moves. */
int history_quiet(const HistoryView *view, const Position *pos, Move m);

/* The continuation part of it alone. */
int history_continuation(const HistoryView *view, const Position *pos, Move m);

/* How well a capture or promotion did. */
int history_noisy(const History *history, const Position *pos, Move m);

/* Praise (bonus > 0) or blame, within ±HISTORY_MAX, for a move that can be made in `pos`. */
void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus);
void history_update_noisy(History *history, const Position *pos, Move m, int bonus);
