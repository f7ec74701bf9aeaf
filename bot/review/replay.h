/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - a kept game on a board again, as far as our rules cover its variant. A record or a
 * file may hold anything: a move that is not legal is reported, and not made. Pure. */
#pragma once
#include "bot/model/record.h"
#include "engine/core/position.h"
#include "engine/core/san.h"

/* Where the game began; "" is the usual place. False where our rules don't play the variant, or
 * can't read the position. */
bool replay_begin(Position *out, Variant variant, const char *initial_fen) MUST_CHECK;

/* Makes a move and returns it; MOVE_NONE: it is not legal here, and the position is as it was.
 * `san`: its name; NULL: not wanted. */
Move replay_move(Position *pos, Text uci, char san[SAN_SIZE]);

/* Where a game stood before its move number `index` (0: the first), with the history that makes
 * repetitions. False where our rules don't reach it. */
bool replay_to(Position *out, const GameRecord *record, size_t index) MUST_CHECK;

enum {
    OPENING_PLIES_MAX = 60,
    OPENING_SIZE = 1024, /* that many plies fit in */
};

/* How a game was opened, in the words of the moves themselves: "1.e4 c5 2.Nf3", its first `plies`
 * (at most OPENING_PLIES_MAX), fewer where it was shorter or has an illegal move. A game that did
 * not begin as usual, or is none of chess, is named by its variant. `uci`: words with a blank
 * between. */
void opening_write(Variant variant, const char *initial_fen, Text uci, int plies,
                   char out[OPENING_SIZE]);

/* A move of ours that came out of a book. */
typedef struct {
    uint64_t key; /* of the position before it, as in Polyglot's books */
    int ply;      /* 1: the game's first */
    Move move;
} BookStep;

enum { BOOK_STEPS_MAX = 128 };

/* The steps of a game in order; returns how many. None where our rules don't play the variant. */
size_t replay_book_steps(const GameRecord *record, BookStep out[BOOK_STEPS_MAX]);
