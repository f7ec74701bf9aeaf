/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_stream.h - the part of the state machine that keeps the game's stream open, and decides how
 * far its lines can be relied on. Pure, like the rest. */
#pragma once
#include "bot/game/step.h"

/* Opens it where it is wanted and its time has come; anew where nothing but keep-alives came. */
void game_stream_keep_open(Step *step);

/* When that has something to do; INT64_MAX: nothing by itself. */
int64_t game_stream_next_at_ms(const Game *game);

/* Closes it. */
void game_stream_close(Step *step);

/* It has ended by itself: when to open it again. */
void game_stream_ended(Step *step, StreamEnd end);

/* The server was reached just now: tries again at once, but for a limit. */
void game_stream_hurry(Step *step);

/* The state on record may be old: have it read again, at once if that was not done just before. */
void game_stream_resync(Step *step);

/* It has shown the game's state. */
void game_stream_set_live(Step *step);
