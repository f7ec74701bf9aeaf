/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/jsonread.h"
#include "bot/ops/json_grammar.h"

#include <math.h>

static struct json_object *parse(const char *text, size_t len, enum json_type type, Error *err)
{
    if (!json_grammar_check(text, len, err))
        return NULL;
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH_MAX + 1); /* it counts values */
    if (!tokener || len > INT32_MAX) {
        error_set(err, ERR_MEMORY, "no memory to read JSON");
        if (tokener)
            json_tokener_free(tokener);
        return NULL;
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *tree = json_tokener_parse_ex(tokener, text, (int)len);
    enum json_tokener_error why = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    if (tree && json_object_is_type(tree, type))
        return tree;
    if (why == json_tokener_success || why == json_tokener_continue) /* a number may go on */
        error_set(err, ERR_INVALID, type == json_type_object ? "no JSON object" : "no JSON array");
    else
        error_set(err, ERR_INVALID, "no JSON: %s", json_tokener_error_desc(why));
    json_object_put(tree);
    return NULL;
}

struct json_object *jsonread_parse(const char *text, size_t len, Error *err)
{
    return parse(text, len, json_type_object, err);
}

struct json_object *jsonread_parse_list(const char *text, size_t len, Error *err)
{
    return parse(text, len, json_type_array, err);
}

static struct json_object *member(const struct json_object *object, const char *key,
                                  enum json_type type)
{
    struct json_object *value = NULL;
    if (!json_object_is_type(object, json_type_object) ||
        !json_object_object_get_ex(object, key, &value) || !json_object_is_type(value, type))
        return NULL;
    return value;
}

struct json_object *jsonread_object(const struct json_object *object, const char *key)
{
    return member(object, key, json_type_object);
}

struct json_object *jsonread_array(const struct json_object *object, const char *key)
{
    return member(object, key, json_type_array);
}

Text jsonread_text(const struct json_object *object, const char *key)
{
    struct json_object *value = member(object, key, json_type_string);
    if (!value)
        return (Text){ 0 };
    return (Text){ json_object_get_string(value), (size_t)json_object_get_string_len(value) };
}

Text jsonread_word(const struct json_object *object, const char *key, const char *inner)
{
    struct json_object *value = jsonread_object(object, key);
    return value ? jsonread_text(value, inner) : jsonread_text(object, key);
}

int64_t jsonread_int(const struct json_object *object, const char *key, int64_t lo, int64_t hi,
                     int64_t otherwise)
{
    struct json_object *value = member(object, key, json_type_int);
    int64_t number;
    if (value) {
        number = json_object_get_int64(value); /* saturates */
    } else {
        value = member(object, key, json_type_double);
        double real = value ? json_object_get_double(value) : NAN;
        if (isnan(real))
            return otherwise;
        number = real >= (double)hi ? hi : real <= (double)lo ? lo : (int64_t)real;
    }
    return number < lo ? lo : number > hi ? hi : number;
}

bool jsonread_bool(const struct json_object *object, const char *key, bool otherwise)
{
    struct json_object *value = member(object, key, json_type_boolean);
    return value ? json_object_get_boolean(value) : otherwise;
}
