/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_put.h - members for an object of json-c's. Without memory the member is missing. */
#pragma once
#include <json-c/json.h>
#include <stdbool.h>

static inline void json_put_text(struct json_object *to, const char *key, const char *text)
{
    json_object_object_add(to, key, json_object_new_string(text));
}

static inline void json_put_number(struct json_object *to, const char *key, int64_t number)
{
    json_object_object_add(to, key, json_object_new_int64(number));
}

static inline void json_put_bool(struct json_object *to, const char *key, bool truth)
{
    json_object_object_add(to, key, json_object_new_boolean(truth));
}
