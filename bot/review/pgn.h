/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pgn.h - a game of the archive as PGN in its export format: the seven tags first, the others in
 * alphabetical order, moves in SAN, lines below 80 columns. Each move carries the mover's clock
 * ([%clk]), ours our evaluation too ([%eval], for White, with the depth) and after "pv" the moves
 * that were expected next.
 *
 * After: Steven J. Edwards, "Portable Game Notation Specification" (1994); the comments as Lichess
 * writes them. Records may come from a damaged archive: a move that is not legal ends the moves
 * with a comment that says so. Games of variants without rules of ours have their moves in a
 * comment, in UCI. Pure. */
#pragma once
#include "bot/review/analysis.h"
#include "engine/base/buf.h"

enum { PGN_MAX = 1 << 19 /* bytes of a game, at most */, PGN_COLUMNS = 79 };

/* Appends the game and an empty line. `site`: the server's URL, for links. False when `out` is
 * full. */
bool pgn_write(const GameRecord *record, const char *site, Buf *out) MUST_CHECK;

/* The same with what an analysis found instead of our own searches: `evals`, record->count + 1 of
 * them, as [%eval] after each move of both sides; a mark ($6, $2, $4: ?!, ?, ??) and a comment with
 * the best move and the cause at each move that lost points. Lichess's studies import it. */
bool pgn_write_analysis(const GameRecord *record, const PositionEval *evals, const char *site,
                        Buf *out) MUST_CHECK;
