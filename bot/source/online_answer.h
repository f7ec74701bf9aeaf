/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_answer.h - what the services on the web say about a position, as plain values.
 *
 * The bytes are foreign: moves that are not legal in the position, and second entries of a move,
 * are left out; numbers are held within bounds. False and an Error when a body is no such answer
 * at all. Pure. */
#pragma once
#include "engine/base/error.h"
#include "engine/core/movegen.h"

#include <stddef.h>
#include <stdint.h>

enum { CLOUD_LINES_MAX = 8, CLOUD_SCORE_MAX = 20000, TABLE_DTZ_MAX = 1000 };

/* The opening explorer: how often a move was played, and how it went. */
typedef struct {
    Move move;
    int64_t white, draws, black; /* games won by white, drawn, won by black; below 2^40 */
} ExplorerMove;

typedef struct {
    int count;
    ExplorerMove moves[MAX_MOVES];
} ExplorerAnswer;

bool explorer_answer_parse(ExplorerAnswer *out, const Position *position, const char *body,
                           size_t len, Error *err) MUST_CHECK;

/* A cloud evaluation. */
typedef struct {
    Move move, reply; /* reply: MOVE_NONE where there is none */
    int score;        /* for the side to move, as in engine/search/engine.h */
} CloudLine;

typedef struct {
    int depth; /* plies, 0..MAX_PLY - 1 */
    int64_t nodes;
    int count;
    CloudLine lines[CLOUD_LINES_MAX];
} CloudAnswer;

bool cloud_answer_parse(CloudAnswer *out, const Position *position, const char *body, size_t len,
                        Error *err) MUST_CHECK;

/* Tables of endgames: how a move ends with best play, for who plays it. */
typedef enum {
    TABLE_LOSS,
    TABLE_MAYBE_LOSS,
    TABLE_BLESSED_LOSS, /* a draw by the rule of 50 moves */
    TABLE_DRAW,
    TABLE_CURSED_WIN, /* the same */
    TABLE_MAYBE_WIN,
    TABLE_WIN,
} TableEnd;

typedef struct {
    Move move;
    TableEnd end;
    int dtz; /* plies to the next capture or pawn move after it, 0..TABLE_DTZ_MAX */
} TableMove;

typedef struct {
    bool is_whole; /* all legal moves are there */
    int count;
    TableMove moves[MAX_MOVES]; /* the service's best first */
} TableAnswer;

bool table_answer_parse(TableAnswer *out, const Position *position, const char *body, size_t len,
                        Error *err) MUST_CHECK;

/* chessdb's moves and scores. */
typedef struct {
    Move move;
    int score; /* centipawns for who plays it; beyond 10000 distances, see below */
    int rank;  /* 2: good, 1: fair, 0: poor */
} ChessdbMove;

typedef struct {
    bool is_limited; /* asked too often */
    int count;       /* 0: it does not have the position */
    ChessdbMove moves[MAX_MOVES];
} ChessdbAnswer;

bool chessdb_answer_parse(ChessdbAnswer *out, const Position *position, const char *body,
                          size_t len, Error *err) MUST_CHECK;

/* What its scores say of an endgame that it has tables for: wins lie near 25000 (30000: mates),
 * wins that the rule of 50 moves spoils near 20000. A score of another kind is left out. */
void table_answer_of_chessdb(TableAnswer *out, const Position *position,
                             const ChessdbAnswer *answer);
