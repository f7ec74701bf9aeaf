/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_log.h - what a game's notes look like in the log: one event a line, every one with id=. */
#pragma once
#include "bot/game/game_state.h"
#include "bot/lichess/api.h"
#include "bot/ops/log.h"

/* Whom we play, and what, for the log. */
typedef struct {
    char name[PLAYER_TEXT_SIZE]; /* see player_text() */
    int rating;                  /* 0: unknown */
    bool rated;
    Speed speed;
    TimeControl time;
} Opponent;

/* `us`: our colour; COLOUR_NONE leaves *out as it is. */
void opponent_read(Opponent *out, const GameFull *full, Colour us);

enum { SCORE_TEXT_SIZE = 24 };

/* "+0.31", "#5", "#-2": for us; "-" where there is none. */
const char *score_text(char out[SCORE_TEXT_SIZE], const MoveChoice *choice);

/* The game's stream has ended by `answer`; NULL: it could not even be asked for. */
void game_log_stream_lost(Log *log, const Game *game, const Note *note, const ApiAnswer *answer);

void game_log_note(Log *log, const Game *game, const Opponent *opponent, const Note *note);

/* The result line. */
void game_log_end(Log *log, const Game *game, const Opponent *opponent);
