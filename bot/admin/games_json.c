/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/games_json.h"

#include "bot/admin/record_json.h"
#include "bot/ops/json_put.h"

const char *record_outcome(const GameRecord *record)
{
    if (record->winner != COLOUR_NONE && record->us != COLOUR_NONE)
        return record->winner == record->us ? "won" : "lost";
    return record_result(record->status, record->winner)[0] == '*' ? "-" : "drawn";
}

struct json_object *games_json_row(const GameRecord *record, int plies)
{
    struct json_object *game = json_object_new_object();
    if (!game)
        return NULL;
    json_put_text(game, "id", record->id);
    json_put_number(game, "ended_ms", record->ended_at_ms);
    record_json_put_kind(game, record);
    record_json_put_players(game, record);
    json_put_text(game, "us", colour_name(record->us));
    json_put_text(game, "outcome", record_outcome(record));
    json_put_text(game, "result", record_result(record->status, record->winner));
    json_put_text(game, "status", status_name(record->status));
    json_put_number(game, "plies", plies);
    if (record->their_engine[0] != '\0')
        json_put_text(game, "opponent_engine", record->their_engine);
    return game;
}
