/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fen.h - positions as text: FEN, X-FEN (KQkq = outermost rook, an inner one by its file) and
 * Shredder-FEN (HAha). Variants: pockets as `…/RNBQKBNR/Qp` or `…/RNBQKBNR[Qp]`, `~` behind a man
 * that was a pawn, checks given behind the move number (`+1+0`) or checks left before the clocks
 * (`2+3`).
 */
#pragma once
#include "engine/core/position.h"

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
enum { FEN_SIZE = 192 }; /* holds every FEN that fen_write() makes, with its NUL */

typedef enum {
    FEN_STRICT,  /* from operators and GUIs: any contradiction is an error */
    FEN_LENIENT, /* from the server: rights and en-passant squares that the board contradicts are
                    dropped and counted, missing counters are 0 and 1, piece counts are not checked
                  */
} FenMode;

/* Reads `text`, NUL-terminated, of four fields or six, into *pos; `pos` is untouched on failure.
 * The message names the field and why. Castling rights from other than e-file kings and corner
 * rooks set rules.chess960; a caller with a Chess960 game sets it in the position's rules
 * afterwards. `dropped`, if not NULL, gets the number of claims dropped (FEN_LENIENT). */
bool fen_read(Position *pos, const char *text, FenMode mode, int *dropped, Error *err) MUST_CHECK;

/* The same for a position of these rules. Rights to castle that the rules do not know are claims as
 * above. A position whose game is over is read like any other. */
bool fen_read_as(Position *pos, Ruleset ruleset, const char *text, FenMode mode, int *dropped,
                 Error *err) MUST_CHECK;

/* Writes the position: X-FEN castling letters; the en-passant square only when a pawn can be taken
 * there pseudo-legally; a pocket in brackets, checks left before the clocks. Reading it again, by
 * the same rules, gives the same position. */
void fen_write(const Position *pos, char out[FEN_SIZE]);
