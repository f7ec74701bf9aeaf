/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uci_text.h - moves as UCI text without rules: in the variants that our own rules lack, and on
 * their way from and to a foreign engine. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"
#include "engine/core/uci_move.h"

/* "e2e4", "e7e8q" (k too: antichess), "P@e4": the form alone. */
bool uci_text_is_move(Text word);

/* The same move, or the two ways to write one castling. */
bool uci_text_is_same(Text a, Text b);

/* Cuts the next word off a list that blanks separate; the empty text at its end. */
Text uci_text_next(Text *rest);

/* Writes " MOVE" for each of `moves`, a game of a variant from its initial position on, with
 * castling in this notation. That needs no rules: kings begin on e1 and e8, and a first move from
 * there to the rook's home or by two files is castling. False when `out` is full. */
bool uci_text_write_moves(Text moves, CastlingNotation notation, Buf *out) MUST_CHECK;
