/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/record_json.h"

#include "bot/ops/json_put.h"
#include "bot/ops/printable.h"

enum { SHOWN_SIZE = 512 };

void json_put_shown(struct json_object *to, const char *key, const char *text)
{
    char shown[SHOWN_SIZE];
    printable_copy(shown, sizeof shown, text_of(text));
    json_put_text(to, key, shown);
}

void record_json_put_kind(struct json_object *to, const GameRecord *record)
{
    json_put_text(to, "variant", variant_name(record->variant));
    json_put_text(to, "speed", speed_name(record->speed));
    json_put_bool(to, "rated", record->rated);
    if (record->time.kind == TIME_CLOCK) {
        json_put_number(to, "initial_s", record->time.base_s);
        json_put_number(to, "increment_s", record->time.increment_s);
    } else if (record->time.kind == TIME_CORRESPONDENCE) {
        json_put_number(to, "days_per_turn", record->time.days);
    }
}

static struct json_object *player_json(const Player *player)
{
    struct json_object *to = json_object_new_object();
    json_put_shown(to, "name", player->ai_level > 0 ? "Stockfish" : player->name);
    if (player->title[0] != '\0')
        json_put_shown(to, "title", player->title);
    if (player->rating > 0)
        json_put_number(to, "rating", player->rating);
    if (player->ai_level > 0)
        json_put_number(to, "ai", player->ai_level);
    return to;
}

void record_json_put_players(struct json_object *to, const GameRecord *record)
{
    json_put_value(to, "white", player_json(&record->players[WHITE]));
    json_put_value(to, "black", player_json(&record->players[BLACK]));
}
