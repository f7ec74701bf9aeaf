/* SPDX-License-Identifier: GPL-3.0-or-later */
/* latest_move.h - the latest move that we decided on, with what there is to say of it: for the
 * chat, the archive and viewers. A plain value; {0}: none yet. */
#pragma once
#include "bot/game/scoresheet.h"
#include "bot/game/game_state.h"

typedef struct {
    MoveChoice choice; /* a depth of 0: none, or a move without a search */
    Position from;     /* the position that it was found in; only with has_from */
    bool has_from;     /* false: our rules do not cover that position */
    char san[SAN_SIZE], reply_san[SAN_SIZE]; /* "": not known */
} LatestMove;

/* Takes over the move of a NOTE_MOVE, made on `sheet`. */
void latest_move_take(LatestMove *latest, const Scoresheet *sheet, const Note *note);

/* The position that it was found in; NULL: not known. Lent until the next move is taken. */
const Position *latest_move_from(const LatestMove *latest);
