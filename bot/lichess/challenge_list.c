/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/challenge_list.h"

#include "bot/ops/jsonread.h"

#include <string.h>

bool challenge_list_parse(ChallengeList *out, const char *body, size_t len, Error *err)
{
    struct json_object *json = jsonread_parse(body, len, err);
    struct json_object *in = jsonread_array(json, "in");
    ChallengeList list = { .count = 0 };
    if (json && !in)
        error_set(err, ERR_INVALID, "no list of challenges");
    size_t count = in ? json_object_array_length(in) : 0;
    for (size_t i = 0; i < count && list.count < CHALLENGE_LIST_MAX; i++) {
        Text id = jsonread_text(json_object_array_get_idx(in, i), "id");
        if (game_id_is_valid(id) && text_copy(list.ids[list.count], GAME_ID_SIZE, id))
            list.count++;
    }
    json_object_put(json);
    if (in)
        *out = list;
    return in != NULL;
}

bool challenge_list_each(const char *body, size_t len, ChallengeListEach *each, void *user)
{
    struct json_object *json = jsonread_parse(body, len, NULL);
    struct json_object *in = jsonread_array(json, "in");
    size_t count = in ? json_object_array_length(in) : 0;
    for (size_t i = 0; i < count && i < CHALLENGE_LIST_MAX; i++) {
        Event event;
        const char *text = json_object_to_json_string(json_object_array_get_idx(in, i));
        if (!text || !challenge_parse(&event, text, strlen(text), NULL))
            continue;
        each(user, &event);
        event_release(&event);
    }
    json_object_put(json);
    return in != NULL;
}

bool challenge_list_has(const ChallengeList *list, const char *id)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->ids[i], id) == 0)
            return true;
    return false;
}
