/* SPDX-License-Identifier: GPL-3.0-or-later */
/* board_text.h - a game on a terminal: its players, clocks, board, evaluation and variation as rows
 * of equal width, so that several stand side by side. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

enum {
    BOARD_TEXT_ROWS = 14,
    BOARD_TEXT_ROWS_LEAST = 10,
    BOARD_TEXT_COLUMNS = 28,
    BOARD_TEXT_MOVES_COLUMNS = 22
};

typedef enum {
    BOARD_LETTERS, /* ASCII: white's pieces are capitals */
    BOARD_COLOURS, /* 256 colours, and the pieces of Unicode */
} BoardStyle;

typedef enum { BOARD_AS_PLAYED, BOARD_FLIPPED } BoardTurn; /* our side is below, or theirs */

/* Appends row 0..BOARD_TEXT_ROWS - 1 of the game, BOARD_TEXT_COLUMNS wide. `game`: of game_json.h;
 * what it lacks is blank. False when `out` is full. */
bool board_text_write(Buf *out, const struct json_object *game, int row, BoardStyle style,
                      BoardTurn turn) MUST_CHECK;

/* Appends line 0..count - 1 of its latest moves, BOARD_TEXT_MOVES_COLUMNS wide. `game` has them
 * from its ply "from" on. False when `out` is full. */
bool board_text_moves_write(Buf *out, const struct json_object *game, int line,
                            int count) MUST_CHECK;

/* Which rows to show where there is room for `room` of BOARD_TEXT_ROWS_LEAST or more: all, or the
 * board and its players, then what matters most. Returns how many, in their order. */
int board_text_rows(int room, int rows[BOARD_TEXT_ROWS]);

/* A clock as people read it, with tenths below ten seconds; "" below zero. */
enum { CLOCK_TEXT_SIZE = 32 };
const char *clock_text(char out[CLOCK_TEXT_SIZE], int64_t ms);

/* An evaluation for White, of an object with cp or mate; SCORE_NONE where there is none. */
int eval_score(const struct json_object *eval);
