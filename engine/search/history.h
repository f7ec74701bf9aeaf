/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - how well moves did before, wherever in the tree: butterfly, pawn, capture and
 * continuation histories for move ordering and pruning, correction histories for the static
 * evaluation. Each search thread has its own. All entries lie within ±HISTORY_MAX: an update adds a
 * bonus or a malus, less the nearer the entry is to the limit ("history gravity"), so old results
 * fade.
 * After: chessprogramming.org, "History Heuristic", "Continuation History". */
#pragma once
#include "engine/core/movegen.h"
#include "engine/core/piece_keys.h"
#include "engine/search/params.h"

#include <stddef.h>

enum { HISTORY_MAX = 16384, PAWN_HISTORY_SIZE = 128 };

enum { CONTINUATION_NONE = COLOUR_COUNT * PIECE_TYPE_COUNT * SQUARE_COUNT };

enum { CORRECTION_MAX = 1024, CORRECTION_SIZE = 8192 /* a power of two */ };

/* By the piece that moves and the square it goes to. */
typedef int16_t PieceToHistory[COLOUR_COUNT][PIECE_TYPE_COUNT][SQUARE_COUNT];

/* The same for the moves that follow one earlier move. */
typedef PieceToHistory ContinuationHistory;

typedef struct {
    /* By from, to, and whether the enemy attacks each of them. */
    int16_t butterfly[COLOUR_COUNT][2][2][SQUARE_COUNT][SQUARE_COUNT];
    PieceToHistory drop;
    int16_t capture[PIECE_SLOTS][SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* and the victim */
    PieceToHistory pawn[PAWN_HISTORY_SIZE];                           /* by pawn structure */
    /* By an earlier move's piece and to; the last one before the root and after a null move. */
    ContinuationHistory continuation[CONTINUATION_NONE + 1];
    /* How far the evaluation was off in positions that have something in common, by side to move
     * and the key of what that is. */
    int16_t pawn_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t minor_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t major_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t piece_correction[COLOUR_COUNT][COLOUR_COUNT][CORRECTION_SIZE]; /* [of colour] */
} History;

/* The histories as one node needs them: with the continuation histories of the moves before. */
enum { CONTINUATION_COUNT = 3 };
typedef struct {
    History *history;
    const Params *params; /* the search's, read through params_in_use() */
    bool has_threats;     /* history_find_threats() has been called: not needed for noisy moves */
    Bitboard threats;     /* the squares that the enemy attacks */
    /* Of the moves 1, 2 and 4 plies ago. The last one learns only: its weight came to nothing, but
     * what it learns is read by other nodes. */
    ContinuationHistory *continuation[CONTINUATION_COUNT];
} HistoryView;

/* Forgets all results. */
void history_clear(History *history);

/* The continuation history for moves that follow one of `piece` to `to`. */
static inline ContinuationHistory *history_continuation_after(History *history, Piece piece,
                                                              Square to)
{
    int kind = piece_colour(piece) * PIECE_TYPE_COUNT + piece_type(piece);
    return &history->continuation[kind * SQUARE_COUNT + to];
}

/* Quiet moves' histories depend on what is under attack. Found once, as late as possible, since
 * many nodes end before a quiet move. */
static inline void history_find_threats(HistoryView *view, const Position *pos)
{
    if (view->has_threats)
        return;
    view->threats = movegen_threats(pos);
    view->has_threats = true;
}

/* The weighted sum of a quiet move's histories, for move ordering. */
int history_quiet(const HistoryView *view, const Position *pos, Move m);

/* The continuation part of it alone. */
int history_continuation(const HistoryView *view, const Position *pos, Move m);

/* The same for a capture or promotion. */
int history_noisy(const HistoryView *view, const Position *pos, Move m);

/* A bonus, or a malus when negative, within ±HISTORY_MAX, for a legal move of `pos`. */
void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus);
void history_update_noisy(History *history, const Position *pos, Move m, int bonus);

/* A bonus or malus in the butterfly history alone, for a quiet move that colour `us` has already
 * made; `threats` are those of the position before it. */
void history_update_butterfly(History *history, Colour us, Bitboard threats, Move m, int bonus);

/* The same in the continuation history after an earlier move alone, for the piece that has come to
 * `to`. */
void history_update_continuation(ContinuationHistory *continuation, const Position *pos, Square to,
                                 int bonus);

/* The correction of the static evaluation: the weighted sum of the entries divided by 1024. */
typedef struct {
    int pawn, minor, major, pieces;
} CorrectionWeights;
int history_correction(const History *history, const Position *pos, const PieceKeys *keys,
                       const CorrectionWeights *weights);

/* The search found the static evaluation to be off; bonus within ±CORRECTION_MAX. */
void history_update_correction(History *history, const Position *pos, const PieceKeys *keys,
                               int bonus);
