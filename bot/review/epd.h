/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epd.h - positions where a move went wrong as lines of EPD, for test suites and trainers: the
 * position before the move, bm with the best move where one is known, am with the move played, id
 * with game and move, c0 with what it cost and why.
 * After: chessprogramming.org, "Extended Position Description". Pure. */
#pragma once
#include "bot/review/analysis.h"
#include "engine/base/buf.h"

enum { EPD_LINE_MAX = 512 };

/* Appends a line for a loss that find_losses() told of. `evals`: as there. False when `out` is full
 * or our rules don't reach the move. */
bool epd_write(const GameRecord *record, const PositionEval *evals, const MoveLoss *loss,
               Buf *out) MUST_CHECK;
