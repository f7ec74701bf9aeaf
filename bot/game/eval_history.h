/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_history.h - what our latest moves said about how a game will end, for adjudicate.h: counted
 * move by move, and short enough to outlive a restart. Plies are counted from the game's first, 1.
 * Pure.
 */
#pragma once
#include "bot/policy/adjudicate.h"
#include "bot/model/move_choice.h"
#include "engine/base/text.h"

typedef struct {
    ScoreTrend trend;
    TablebaseVerdict tablebase_verdict; /* on our latest move */
    uint32_t ply;                       /* of that move */
    uint32_t offered_at_ply;            /* our last draw offer; 0: none */
} EvalHistory;

/* One more move of ours, at `ply`. A move without a score (from a book, or in need) says nothing;
 * moves of ours that were not seen here end the row. */
void eval_history_add(EvalHistory *eval_history, const MoveChoice *choice, uint32_t ply,
                      const DrawSettings *draw, const ResignSettings *resign);

/* With `plies` on the list: nothing where it is not about the list's latest moves. */
ScoreTrend eval_history_trend(const EvalHistory *eval_history, uint32_t plies);

/* The same, and only while our move is the latest: the reply may have changed everything. */
TablebaseVerdict eval_history_verdict(const EvalHistory *eval_history, uint32_t plies);

/* From our last offer to the move of ours at `ply`; INT_MAX: none was made. */
int eval_history_plies_since_offer(const EvalHistory *eval_history, uint32_t ply);

enum { EVAL_HISTORY_TEXT_SIZE = 64 };

/* What is worth keeping, as numbers; "" where nothing is. The tables can be asked again. */
void eval_history_write(const EvalHistory *eval_history, char out[EVAL_HISTORY_TEXT_SIZE]);

/* False, *out untouched, for anything else. */
bool eval_history_read(EvalHistory *out, Text text) MUST_CHECK;
