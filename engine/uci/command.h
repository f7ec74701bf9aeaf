/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what a GUI's "position" and "go" say, read and checked. Pure functions: any thread.
 * What follows the command's own word is given; on failure the Error names the word at fault and
 * the out-parameter is untouched. */
#pragma once
#include "engine/search/engine.h"
#include "engine/uci/tokens.h"

/* "startpos | fen FEN", then "moves …" or nothing. `chess960` is the option UCI_Chess960. */
bool command_read_position(Tokens tokens, bool chess960, Position *out, Error *err) MUST_CHECK;

typedef struct {
    SearchLimits limits;
    int perft_depth; /* "perft N": no search at all; else 0 */
} GoCommand;

/* The limits of "go" in any order; searchmoves are matched in `pos`. */
bool command_read_go(Tokens tokens, const Position *pos, GoCommand *out, Error *err) MUST_CHECK;
