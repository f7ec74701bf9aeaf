/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/arena_info.h"

#include "bot/ops/jsonread.h"

#include <string.h>

enum {
    SECONDS_MOST = 366 * 86400,
    MINUTES_MOST = 366 * 1440,
    LISTED_FINISHED = 30, /* `status` of the list: 10 created, 20 started */
};

#define UNIX_MS_MOST ((int64_t)1 << 53) /* what JSON's numbers hold exactly */

/* Cut between characters. */
static void keep_name(char out[ARENA_NAME_SIZE], Text name)
{
    size_t len = name.len < ARENA_NAME_SIZE ? name.len : ARENA_NAME_SIZE - 1;
    while (len > 0 && len < name.len && ((unsigned char)name.at[len] & 0xc0) == 0x80)
        len--;
    if (len > 0)
        memcpy(out, name.at, len);
    out[len] = '\0';
}

static BotsAdmitted read_bots(const struct json_object *json)
{
    bool is_admitted = jsonread_bool(json, "botsAllowed", false);
    bool is_stated = is_admitted || !jsonread_bool(json, "botsAllowed", true);
    return !is_stated ? BOTS_NOT_STATED : is_admitted ? BOTS_ADMITTED : BOTS_REFUSED;
}

bool arena_info_parse(ArenaInfo *out, const char *body, size_t len, Error *err)
{
    struct json_object *json = jsonread_parse(body, len, err);
    if (!json)
        return false;
    const struct json_object *us = jsonread_object(json, "me");
    *out = (ArenaInfo){
        .bots = read_bots(json),
        .is_finished = jsonread_bool(json, "isFinished", false),
        .seconds_to_start = jsonread_int(json, "secondsToStart", 0, SECONDS_MOST, 0),
        .seconds_to_finish = jsonread_int(json, "secondsToFinish", 0, SECONDS_MOST, -1),
        .minutes = (int)jsonread_int(json, "minutes", 0, MINUTES_MOST, 0),
        .has_us = us != NULL,
        .has_withdrawn = jsonread_bool(us, "withdraw", false),
    };
    keep_name(out->name, jsonread_text(json, "fullName"));
    json_object_put(json);
    return true;
}

bool listed_arena_parse(ListedArena *out, const char *line, size_t len, Error *err)
{
    struct json_object *json = jsonread_parse(line, len, err);
    if (!json)
        return false;
    const struct json_object *clock = jsonread_object(json, "clock");
    Text id = jsonread_text(json, "id");
    ListedArena arena = {
        .starts_unix_ms = jsonread_int(json, "startsAt", 0, UNIX_MS_MOST, 0),
        .ends_unix_ms = jsonread_int(json, "finishesAt", 0, UNIX_MS_MOST, 0),
        .minutes = (int)jsonread_int(json, "minutes", 0, MINUTES_MOST, 0),
        .base_s = jsonread_int(clock, "limit", 0, SECONDS_MOST, 0),
        .increment_s = jsonread_int(clock, "increment", 0, SECONDS_MOST, 0),
        .variant = variant_of(jsonread_word(json, "variant", "key")),
        .is_rated = jsonread_bool(json, "rated", false),
        .is_finished = jsonread_int(json, "status", 0, LISTED_FINISHED, 0) >= LISTED_FINISHED,
    };
    bool ok = game_id_is_valid(id) && id.len < sizeof arena.id && clock &&
              arena.starts_unix_ms > 0 && arena.ends_unix_ms > arena.starts_unix_ms;
    if (ok) {
        memcpy(arena.id, id.at, id.len);
        *out = arena;
    } else {
        error_set(err, ERR_INVALID, "no arena with an id, times and a clock");
    }
    json_object_put(json);
    return ok;
}
