/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jsonread.h - reading foreign JSON tolerantly: what is absent, null or of the wrong type reads as
 * empty. Texts lie inside the tree and live as long as it does. `object` may be NULL or no object
 * everywhere. Pure. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <json-c/json.h>
#include <stdint.h>

/* The tree of text[0..len): one JSON object in UTF-8, within the limits of json_grammar.h, the same
 * with every version of json-c; the caller drops it with json_object_put(). NULL and an Error
 * otherwise. */
struct json_object *jsonread_parse(const char *text, size_t len, Error *err) MUST_CHECK;

/* The same for an array. */
struct json_object *jsonread_parse_list(const char *text, size_t len, Error *err) MUST_CHECK;

/* The member when it is an object (an array), else NULL. */
struct json_object *jsonread_object(const struct json_object *object, const char *key);
struct json_object *jsonread_array(const struct json_object *object, const char *key);

Text jsonread_text(const struct json_object *object, const char *key);

/* The member as text, or the text `inner` of it when it is an object: status and variant come both
 * ways. */
Text jsonread_word(const struct json_object *object, const char *key, const char *inner);

/* A number, clamped to lo..hi; `otherwise` where there is none. */
int64_t jsonread_int(const struct json_object *object, const char *key, int64_t lo, int64_t hi,
                     int64_t otherwise);

bool jsonread_bool(const struct json_object *object, const char *key, bool otherwise);
