/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what a GUI's "position" and "go" say, read and checked. Pure functions: any thread.
 * They take what follows the command's own word; their Error names the first word at fault. */
#pragma once
#include "engine/human/human_view.h"
#include "engine/search/engine.h"
#include "engine/uci/tokens.h"

/* "startpos | fen FEN", then "moves …" or nothing. The options UCI_Variant and
 * UCI_Chess960 say how to read it. *history are the positions on the way, for chess. On failure
 * both are untouched. */
bool command_read_position(Tokens tokens, Ruleset ruleset, bool chess960, Position *out,
                           HumanHistory *history, Error *err) MUST_CHECK;

typedef struct {
    SearchLimits limits;
    int perft_depth; /* "perft N": no search at all; else 0 */
} GoCommand;

/* The limits of "go" in any order; searchmoves are matched in `pos`. The GUI waits for a move
 * whatever it sent, so *out holds limits in any case. Unknown words and illegal moves are skipped.
 * A number out of range counts as the nearest within, no number as the lowest. False when there was
 * such a word. */
bool command_read_go(Tokens tokens, const Position *pos, GoCommand *out, Error *err) MUST_CHECK;
