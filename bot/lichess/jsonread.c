/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/jsonread.h"

#include <math.h>

enum { DEPTH_MAX = 16 };

static bool is_blank_rest(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
            return false;
    return true;
}

static struct json_object *parse(const char *text, size_t len, enum json_type type, Error *err)
{
    struct json_object *tree = NULL;
    struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
    if (!tokener || len > INT32_MAX) {
        error_set(err, ERR_MEMORY, "no memory to read JSON");
        goto out;
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    tree = json_tokener_parse_ex(tokener, text, (int)len);
    enum json_tokener_error why = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    bool is_right = tree && json_object_is_type(tree, type);
    if (is_right && why == json_tokener_success && end <= len &&
        is_blank_rest(text + end, len - end))
        goto out;
    if (why == json_tokener_continue)
        error_set(err, ERR_INVALID, "no JSON: it ends too early");
    else if (why != json_tokener_success)
        error_set(err, ERR_INVALID, "no JSON: %s at byte %zu", json_tokener_error_desc(why), end);
    else
        error_set(err, ERR_INVALID,
                  is_right                   ? "no JSON: text follows the object"
                  : type == json_type_object ? "no JSON object"
                                             : "no JSON array");
    json_object_put(tree);
    tree = NULL;
out:
    if (tokener)
        json_tokener_free(tokener);
    return tree;
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
