/* SPDX-License-Identifier: GPL-3.0-or-later */
/* movegen.h - which moves there are. All generators take a valid position, append nothing to what
 * the list held before (they start it anew) and allocate nothing. */
#pragma once
#include "engine/core/position.h"

/* The known maximum in a game's reach is 218, but positions from the server may hold more queens
 * than a game allows. No board at all comes near this. With S sliders, N knights and E squares not
 * our own, S + N + E <= 63. The sliders have at most min(27 S, 8 E) moves, as a square is entered
 * from 8 directions, and the knights min(8 N, 8 E): together at most 440. A pawn adds fewer than a
 * knight, all promotions together at most 80 with those to kings, the king 10. In crazyhouse, drops
 * of five kinds go to at most 5 (63 - S - N) squares; all together that is below 650. */
enum { MAX_MOVES = 768 };

typedef struct {
    int count;
    Move moves[MAX_MOVES];
} MoveList;

/* Every legal move, in no promised order. A game that a variant's own rule ended has none. */
void movegen_legal(const Position *pos, MoveList *list);

/* Legal captures and promotions (all four pieces), en passant included. Antichess: promotions to
 * kings are in this list when they capture. */
void movegen_noisy(const Position *pos, MoveList *list);

/* All squares that the side not to move attacks, its own pieces' included; the king of the side to
 * move blocks no slider. */
Bitboard movegen_threats(const Position *pos);

/* Legal moves that are neither captures nor promotions: noisy and quiet together are the legal
 * moves. `threats` is movegen_threats(), which callers have at hand. */
void movegen_quiet(const Position *pos, Bitboard threats, MoveList *list);

/* The number of legal moves, without writing them down. */
int movegen_count(const Position *pos);
