/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why_text.h - what `castled why` says about a finished game: who played, a curve, the moves that
 * lost points with what each came from and how many people play it, and a sum for each side. UTF-8.
 * Pure. */
#pragma once
#include "bot/review/analysis.h"
#include "bot/review/people_moves.h"
#include "engine/base/buf.h"

enum {
    WHY_TEXT_MAX = 1 << 16, /* bytes, at most */
    WHY_MOVES_MAX = 24,     /* those that lost most */
};

/* `evals`: record->count + 1 of them. False when `out` is full. */
bool why_text_write(Buf *out, const GameRecord *record, const PositionEval *evals) MUST_CHECK;
