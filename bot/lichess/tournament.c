/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/tournament.h"

#include "bot/lichess/jsonread.h"

#include <string.h>

enum { SECONDS_MOST = 366 * 86400 };

/* Cut between characters. */
static void keep_name(char out[TOURNAMENT_NAME_SIZE], Text name)
{
    size_t len = name.len < TOURNAMENT_NAME_SIZE ? name.len : TOURNAMENT_NAME_SIZE - 1;
    while (len > 0 && len < name.len && ((unsigned char)name.at[len] & 0xc0) == 0x80)
        len--;
    if (len > 0)
        memcpy(out, name.at, len);
    out[len] = '\0';
}

static BotsAdmitted read_bots(const struct json_object *json)
{
    bool is_admitted = jsonread_bool(json, "botsAllowed", false);
    bool is_told = is_admitted || !jsonread_bool(json, "botsAllowed", true);
    return !is_told ? BOTS_NOT_TOLD : is_admitted ? BOTS_ADMITTED : BOTS_REFUSED;
}

bool tournament_parse(TournamentInfo *out, const char *body, size_t len, Error *err)
{
    struct json_object *json = jsonread_parse(body, len, err);
    if (!json)
        return false;
    const struct json_object *us = jsonread_object(json, "me");
    *out = (TournamentInfo){
        .bots = read_bots(json),
        .is_finished = jsonread_bool(json, "isFinished", false),
        .seconds_to_start = jsonread_int(json, "secondsToStart", 0, SECONDS_MOST, 0),
        .seconds_to_finish = jsonread_int(json, "secondsToFinish", 0, SECONDS_MOST, -1),
        .has_us = us != NULL,
        .has_withdrawn = jsonread_bool(us, "withdraw", false),
    };
    keep_name(out->name, jsonread_text(json, "fullName"));
    json_object_put(json);
    return true;
}
