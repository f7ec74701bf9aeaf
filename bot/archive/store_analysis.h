/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_analysis.h - what our engine thinks of finished games, kept beside them in the archive:
 * each position's evaluation, and summed up, so that statistics read no lists, our accuracy and
 * what cost us points. Thousandths, of accuracy and of winning chances. As blocking as store.h, and
 * with its errors. */
#pragma once
#include "bot/review/analysis.h"
#include "bot/archive/store.h"

/* In place of an earlier one; a game that is not there as the record has it (any more) is left
 * without. `evals`: record->count + 1 of them, searched with `nodes` each. */
bool store_put_analysis(Store *store, const GameRecord *record, const PositionEval *evals,
                        int64_t nodes, Error *err) MUST_CHECK;

/* `out`: record->count + 1 of them, touched only where *nodes gets more than 0: there is one. A
 * damaged one is none. */
bool store_read_analysis(Store *store, const GameRecord *record, PositionEval *out, int64_t *nodes,
                         Error *err) MUST_CHECK;
