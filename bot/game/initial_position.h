/* SPDX-License-Identifier: GPL-3.0-or-later */
/* initial_position.h - where a game begins: what its first line says about variant and initial
 * position. Pure.
 */
#pragma once
#include "bot/game/scoresheet.h"
#include "bot/lichess/event.h"
#include "bot/source/source.h"

/* Sets an empty sheet up for the game. `fen`: the initial position as engines read it, "" for the
 * variant's usual one. `dropped`: how many castling and en-passant claims the board contradicts.
 * False and an Error when it is no game that we can play; *sheet and `fen` are then unspecified. */
bool initial_position_read(Scoresheet *sheet, char fen[MOVE_REQUEST_FEN_SIZE], const GameFull *full,
                           int *dropped, Error *err) MUST_CHECK;
