/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picker.h - the staged move picker: hands out a node's moves one by one, best first. It generates
 * them as late as possible, since most nodes end after one or two. Stages: TT move, good captures
 * and promotions (SEE), killers, quiet moves by history, bad captures. Lives on the caller's stack;
 * the position must be the same at every call.
 * After: chessprogramming.org, "Move Ordering", "Move Generation" (staged). */
#pragma once
#include "engine/core/movegen.h"
#include "engine/search/history.h"

typedef struct {
    int score;
    Move move;
} ScoredMove;

typedef struct {
    const Position *pos;
    HistoryView *view;
    Move tt_move;
    const Move *killers;   /* two, or NULL when only noisy moves are wanted */
    Move killers_taken[2]; /* those handed out */
    int see_threshold;     /* noisy moves below come last, or not at all without quiet ones */
    /* For quiet moves, by the type that moves: squares from where it checks, and those where a
     * lesser enemy attacks it. */
    Bitboard checks[PIECE_TYPE_COUNT];
    Bitboard unsafe[PIECE_TYPE_COUNT];
    int stage;
    bool quiets_wanted;
    int killer_next;
    int quiet_score;         /* no quiet move that is left has better histories than this */
    int next, count;         /* of what is handed out now: entries[next..count) */
    int bad_count, bad_next; /* entries[0..bad_count) are the bad captures */
    ScoredMove entries[MAX_MOVES];
} Picker;

/* All legal moves. `tt_move` may be any 16 bits: it is checked. `killers` are two quiet moves to
 * prefer. */
void picker_init(Picker *picker, const Position *pos, HistoryView *view, Move tt_move,
                 const Move killers[2]);

/* Captures and promotions only, those that win `see_threshold` at least. */
void picker_init_noisy(Picker *picker, const Position *pos, HistoryView *view, Move tt_move,
                       int see_threshold);

/* The next move, legal and never handed out before; MOVE_NONE at the end. */
Move picker_next(Picker *picker);

/* From now on no more quiet moves. */
static inline void picker_skip_quiets(Picker *picker)
{
    picker->quiets_wanted = false;
}
