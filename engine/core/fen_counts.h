/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fen_counts.h - may these men stand on one board? For fen.c only. */
#pragma once
#include "engine/core/fen.h"

/* What no game's board can hold: pawns where none can be, too few or too many kings. In strict mode
 * counts that only the course of a game forbids too, as the server accepts any position that people
 * set up; not in crazyhouse, where men change sides. `pos` has a board and rules; the rest is not
 * read. */
bool fen_check_pieces(const Position *pos, FenMode mode, Error *err) MUST_CHECK;
