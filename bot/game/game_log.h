/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_log.h - what a game's notes look like in the log: one event a line, every one with id=. */
#pragma once
#include "bot/game/game_state.h"
#include "bot/lichess/api.h"
#include "bot/model/record.h"
#include "bot/ops/log.h"

/* The game's stream has ended by `answer`; NULL: it could not even be asked for. */
void game_log_stream_lost(Log *log, const Game *game, const Note *note, const ApiAnswer *answer);

/* `record`: of the game, for whom we play and by which clock. */
void game_log_note(Log *log, const Game *game, const GameRecord *record, const Note *note);

/* The result line. */
void game_log_end(Log *log, const Game *game, const GameRecord *record);
