/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_json.h - what every JSON object about a game says alike, whether it is one game
 * (game_json.h) or a row of a list (games_json.h). Foreign text is made fit to be shown, see
 * printable.h. Without memory a member is missing. Any thread. */
#pragma once
#include "bot/model/record.h"

#include <json-c/json.h>

/* Adds `variant`, `speed`, `rated`, and `initial_s` with `increment_s` where there is a clock, else
 * `days_per_turn` where a move has days. */
void record_json_put_kind(struct json_object *to, const GameRecord *record);

/* Adds `white` and `black`: { name, title, rating, ai }, the last three where there is one; `ai` is
 * the level of Lichess's own Stockfish. */
void record_json_put_players(struct json_object *to, const GameRecord *record);

/* Adds a foreign text. */
void json_put_shown(struct json_object *to, const char *key, const char *text);
