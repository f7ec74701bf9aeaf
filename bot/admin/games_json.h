/* SPDX-License-Identifier: GPL-3.0-or-later */
/* games_json.h - a finished game as a row of a list, for `castled games --json` and the page:
 *
 *     id, ended_ms, us, outcome      "won", "lost", "drawn" for us, "-" of a game without a result
 *     result, status, plies          as game_json.h has them
 *     and what record_json.h adds
 *
 * Any thread. */
#pragma once
#include "bot/model/record.h"

#include <json-c/json.h>

/* `record` may be without its moves, of which there are `plies`. The caller drops the object; NULL
 * without memory. */
struct json_object *games_json_row(const GameRecord *record, int plies);

/* For us: "won", "lost", "drawn", "-". */
const char *record_outcome(const GameRecord *record);
