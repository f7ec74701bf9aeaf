/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis_json.h - what our engine found in a finished game after it, as a member `analysis` of
 * the game in game_json.h:
 *
 *     accuracy { white, black }      in percent, where both sides have moved
 *     percent [number or null]       White's winning chances after each move
 *     lost_by                        "chess", "clock", "book", "fault": what we lost it by, if so
 *     losses [{ ply, judgement, mark, cause, move, best, before, after, lost }]
 *                                    those of LOST_SHOWN or more; in chess each has also
 *     people { rating, percent, first, first_percent }
 *                                    how many people near the opponent's rating play the move,
 *                                    and the move that most of them play
 *
 * Of the losses all texts are ready to be shown, evaluations for White; `lost` is in percent. Any
 * thread. */
#pragma once
#include "bot/review/analysis.h"

#include <json-c/json.h>

/* `evals`: record->count + 1 of them. The caller drops the object; NULL without memory. */
struct json_object *analysis_json(const GameRecord *record, const PositionEval *evals);
