/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/online_bots.h"

#include "bot/ops/jsonread.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RATING_MOST = 5000 };

/* Letters, digits, '-' and '_', lower case: it goes into a URL. */
static bool read_id(const struct json_object *user, char out[USER_ID_SIZE])
{
    Text id = jsonread_text(user, "id");
    if (id.len < 2 || id.len >= USER_ID_SIZE)
        return false;
    for (size_t i = 0; i < id.len; i++) {
        char c = id.at[i];
        if (!islower((unsigned char)c) && !isdigit((unsigned char)c) && c != '-' && c != '_')
            return false;
    }
    return text_copy(out, USER_ID_SIZE, id);
}

static int read_rating(const struct json_object *perfs, const char *key)
{
    return (int)jsonread_int(jsonread_object(perfs, key), "rating", 0, RATING_MOST, 0);
}

static bool read_person(OnlineBot *out, const struct json_object *user)
{
    const struct json_object *perfs = jsonread_object(user, "perfs");
    memset(out, 0, sizeof *out);
    if (!read_id(user, out->id))
        return false;
    for (int speed = SPEED_UNKNOWN + 1; speed < SPEED_COUNT; speed++)
        out->by_speed[speed] = read_rating(perfs, speed_name((Speed)speed));
    for (int variant = VARIANT_UNKNOWN + 1; variant < VARIANT_COUNT; variant++)
        out->by_variant[variant] = read_rating(perfs, variant_name((Variant)variant));
    Text bio = jsonread_text(jsonread_object(user, "profile"), "bio");
    if (bio.len >= sizeof out->bio)
        bio.len = sizeof out->bio - 1;
    text_copy(out->bio, sizeof out->bio, bio);
    out->is_out = jsonread_bool(user, "disabled", false) ||
                  jsonread_bool(user, "tosViolation", false) ||
                  jsonread_bool(user, "blocking", false);
    return true;
}

bool online_bot_parse(OnlineBot *out, const char *body, size_t len, Error *err)
{
    struct json_object *user = jsonread_parse(body, len, err);
    OnlineBot bot;
    bool ok = user && read_person(&bot, user);
    if (user && !ok)
        error_set(err, ERR_INVALID, "no user's account");
    if (ok)
        *out = bot;
    json_object_put(user);
    return ok;
}

bool online_bots_begin(OnlineBotsReading *out, const char *body, size_t len, Error *err)
{
    OnlineBot *list = calloc(ONLINE_BOTS_MAX, sizeof *list);
    if (!list) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    *out = (OnlineBotsReading){ .people = { list, 0 }, .body = body, .len = len };
    return true;
}

static void read_line(OnlineBotsReading *reading)
{
    OnlineBots *people = &reading->people;
    const char *line = reading->body + reading->at;
    const char *end = memchr(line, '\n', reading->len - reading->at);
    size_t len = end ? (size_t)(end - line) : reading->len - reading->at;
    struct json_object *user = jsonread_parse(line, len, NULL);
    people->count += user && read_person(&people->list[people->count], user);
    json_object_put(user);
    reading->at += len + (end != NULL);
}

bool online_bots_read_on(OnlineBotsReading *reading, int lines)
{
    while (lines-- > 0 && reading->at < reading->len && reading->people.count < ONLINE_BOTS_MAX)
        read_line(reading);
    return reading->at < reading->len && reading->people.count < ONLINE_BOTS_MAX;
}

void online_bots_release(OnlineBots *people)
{
    free(people->list);
    *people = (OnlineBots){ 0 };
}

bool online_bots_first_free(const char *body, size_t len, const char (*ids)[USER_ID_SIZE],
                            int count, int *first, Error *err)
{
    struct json_object *list = jsonread_parse_list(body, len, err);
    if (!list)
        return false;
    *first = -1;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const struct json_object *user = json_object_array_get_idx(list, i);
        char id[USER_ID_SIZE];
        if (!read_id(user, id) || !jsonread_bool(user, "online", false) ||
            jsonread_bool(user, "playing", false) || jsonread_object(user, "playing"))
            continue;
        for (int j = 0; j < count && (*first < 0 || j < *first); j++)
            if (strcmp(ids[j], id) == 0)
                *first = j;
    }
    json_object_put(list);
    return true;
}

bool user_is_online(const char *body, size_t len, const char *user_id, bool *out, Error *err)
{
    struct json_object *list = jsonread_parse_list(body, len, err);
    if (!list)
        return false;
    bool is_there = false;
    for (size_t i = 0; i < json_object_array_length(list) && !is_there; i++) {
        const struct json_object *user = json_object_array_get_idx(list, i);
        char id[USER_ID_SIZE];
        is_there = read_id(user, id) && strcmp(id, user_id) == 0;
        if (is_there)
            *out = jsonread_bool(user, "online", false);
    }
    json_object_put(list);
    if (!is_there)
        error_set(err, ERR_INVALID, "nothing is said of %s", user_id);
    return is_there;
}

int online_bot_rating(const OnlineBot *person, Variant variant, Speed speed)
{
    bool is_standard = variant == VARIANT_STANDARD || variant == VARIANT_FROM_POSITION;
    return is_standard ? person->by_speed[speed] : person->by_variant[variant];
}

Speed speed_of_clock(int64_t base_s, int64_t increment_s)
{
    int64_t estimate = base_s + ESTIMATED_MOVES * increment_s;
    return estimate < 30     ? SPEED_ULTRA_BULLET
           : estimate < 180  ? SPEED_BULLET
           : estimate < 480  ? SPEED_BLITZ
           : estimate < 1500 ? SPEED_RAPID
                             : SPEED_CLASSICAL;
}
