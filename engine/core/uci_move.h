/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_move.h - moves as UCI text. Out is direct, in is by matching the generated legal moves. */
#pragma once
#include "engine/core/movegen.h"

#include <stddef.h>

enum { UCI_MOVE_SIZE = 6 };

typedef enum {
    CASTLING_KING_TO_TARGET,  /* e1g1 */
    CASTLING_KING_TAKES_ROOK, /* e1h1: Chess960, and what Lichess takes everywhere */
} CastlingNotation;

/* Writes "e2e4", "e7e8q", in variants "N@f3", "e7e8k"; "0000" for MOVE_NONE. */
void uci_move_write(const Position *pos, Move m, CastlingNotation notation,
                    char out[UCI_MOVE_SIZE]);

/* The legal move whose UCI text is text[0..len). Castling is taken in both notations (in Chess960
 * games only king takes rook where the other would be ambiguous with a king's move). False and an
 * Error that names text and position when there is none. */
bool uci_move_match(const Position *pos, const char *text, size_t len, Move *out,
                    Error *err) MUST_CHECK;
