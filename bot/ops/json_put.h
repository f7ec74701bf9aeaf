/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_put.h - members for objects of json-c's, and entries for its arrays.
 *
 * Pure. json-c reads through NULL where there is no object to put into, and keeps no value that it
 * could not put. Here both may be missing: what cannot be put is released, and false says so.
 * Whoever needs a whole object asks; whoever tells people leaves it out. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>
#include <stdbool.h>

/* Takes `value`; NULL is JSON's null. */
static inline bool json_put_value(struct json_object *to, const char *key,
                                  struct json_object *value)
{
    if (to && json_object_object_add(to, key, value) == 0)
        return true;
    json_object_put(value);
    return false;
}

/* At the end of an array. */
static inline bool json_put_entry(struct json_object *to, struct json_object *value)
{
    if (to && json_object_array_add(to, value) == 0)
        return true;
    json_object_put(value);
    return false;
}

static inline bool json_put_text(struct json_object *to, const char *key, const char *text)
{
    struct json_object *value = json_object_new_string(text);
    return value && json_put_value(to, key, value);
}

static inline bool json_put_number(struct json_object *to, const char *key, int64_t number)
{
    struct json_object *value = json_object_new_int64(number);
    return value && json_put_value(to, key, value);
}

static inline bool json_put_bool(struct json_object *to, const char *key, bool truth)
{
    struct json_object *value = json_object_new_boolean(truth);
    return value && json_put_value(to, key, value);
}

/* The whole of an object as a line. False when `out` is full, or without memory. The library keeps
 * the text in the object, which is why it is not const. */
static inline bool json_put_line(Buf *out, struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    return text && buf_put_text(out, text) && buf_put_char(out, '\n');
}
