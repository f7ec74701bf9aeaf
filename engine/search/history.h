/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - what moves did before, wherever in the tree: the order of moves and much of pruning
 * rest on it. One thread's own, and small, as every thread of every game has one. All values
 * lie within ±HISTORY_MAX: an update moves an entry towards its sign by its bonus, less the nearer
 * the limit ("gravity"), so old news fades.
 * After: chessprogramming.org, "History Heuristic", "Continuation History". */
#pragma once
#include "engine/core/position.h"
#include "engine/search/params.h"

enum { HISTORY_MAX = 16384, PAWN_HISTORY_SIZE = 128 };

enum { CORRECTION_MAX = 1024, CORRECTION_SIZE = 8192 /* a power of two */ };

/* By the piece that moves and the square it goes to. */
typedef int16_t PieceToHistory[COLOUR_COUNT][PIECE_TYPE_COUNT][SQUARE_COUNT];

/* The same for the many tables that are most of the memory: an entry is one byte and counts in
 * units of HISTORY_STEP. */
enum { HISTORY_STEP = HISTORY_MAX / 128 };
typedef int8_t CoarseHistory[COLOUR_COUNT][PIECE_TYPE_COUNT][SQUARE_COUNT];

typedef struct {
    /* From, to, and whether the enemy attacks these: to flee is one thing, to walk into fire
     * another. */
    int16_t butterfly[COLOUR_COUNT][2][2][SQUARE_COUNT][SQUARE_COUNT];
    int16_t capture[PIECE_SLOTS][SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* and the victim */
    PieceToHistory pawn[PAWN_HISTORY_SIZE];                           /* by pawn structure */
    /* By an earlier move's piece and to. */
    CoarseHistory continuation[COLOUR_COUNT][PIECE_TYPE_COUNT][SQUARE_COUNT];
    CoarseHistory after_nothing; /* where no move came before: the root's past, a null move */
    unsigned dither;             /* makes up for the bytes' coarseness, see history.c */
    /* How far the evaluation was off in positions that have something in common, by side to move
     * and the key of what that is. */
    int16_t pawn_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t minor_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t major_correction[COLOUR_COUNT][CORRECTION_SIZE];
    int16_t piece_correction[COLOUR_COUNT][COLOUR_COUNT][CORRECTION_SIZE]; /* [of colour] */
} History;

/* Zobrist keys of a position's pieces other than pawns, in parts. */
typedef struct {
    uint64_t pieces[COLOUR_COUNT]; /* knights to king, by colour */
    uint64_t minor, major;         /* knights and bishops, rooks and queens, of both sides */
} PieceKeys;

/* The histories as one node needs them: with the tables of the moves that led there. */
enum { CONTINUATIONS = 4 };
typedef struct {
    History *history;
#ifdef CASTLED_TUNE
    const Params *params; /* read through history_params() */
#endif
    Bitboard threats;                    /* movegen_threats(); not needed for noisy moves */
    CoarseHistory *after[CONTINUATIONS]; /* moves 1, 2, 4 and 6 plies ago */
} HistoryView;

static inline const Params *history_params(const HistoryView *view)
{
#ifdef CASTLED_TUNE
    return view->params;
#else
    (void)view;
    return &PARAMS_DEFAULT;
#endif
}

/* Forgets everything. */
void history_clear(History *history);

/* The continuation table for moves that follow one of `piece` to `to`. */
static inline CoarseHistory *history_after(History *history, Piece piece, Square to)
{
    return &history->continuation[piece_colour(piece)][piece_type(piece)][to];
}

/* How well a quiet move did, by all tables together. For the order of moves. */
int history_quiet(const HistoryView *view, const Position *pos, Move m);

/* The continuation part of it alone. */
int history_continuation(const HistoryView *view, const Position *pos, Move m);

/* How well a capture or promotion did. */
int history_noisy(const HistoryView *view, const Position *pos, Move m);

/* Praise (bonus > 0) or blame, within ±HISTORY_MAX, for a move that can be made in `pos`. */
void history_update_quiet(const HistoryView *view, const Position *pos, Move m, int bonus);
void history_update_noisy(History *history, const Position *pos, Move m, int bonus);

/* Praise or blame for a quiet move that was made already, by colour `us`, where the enemy's threats
 * were these: in the butterfly history alone. */
void history_update_made(History *history, Colour us, Bitboard threats, Move m, int bonus);

/* The keys of a position, from scratch, and after a legal move. */
PieceKeys history_piece_keys(const Position *pos);
PieceKeys history_piece_keys_after(const PieceKeys *keys, const Position *pos, Move m);

/* What the evaluation of such positions was off by, in 1/1024 of the weights' unit: a weight of
 * 1024 for each table gives the sum of the tables' entries. */
typedef struct {
    int pawn, minor, major, pieces;
} CorrectionWeights;
int history_correction(const History *history, const Position *pos, const PieceKeys *keys,
                       const CorrectionWeights *weights);

/* The search found the evaluation to be off by so much (within ±CORRECTION_MAX / 4). */
void history_update_correction(History *history, const Position *pos, const PieceKeys *keys,
                               int bonus);
