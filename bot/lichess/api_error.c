/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/api_error.h"

#include "bot/ops/jsonread.h"
#include "engine/base/text_format.h"

#include <strings.h>

enum { LONGEST_WAIT_S = 7 * 24 * 3600 };

typedef enum {
    UTF8,  /* the text is valid, keep it */
    ASCII, /* replace what lies beyond */
} Alphabet;

/* Appends text to the C string in `out`, which stays one printable line: a blank between the two,
 * blanks and controls become single blanks; a cut never tears a letter. */
static void put_line(char *out, size_t size, Text text, Alphabet alphabet)
{
    size_t used = strlen(out);
    if (used > 0 && used + 1 < size)
        out[used++] = ' ';
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        bool is_start = (c & 0xc0) != 0x80;
        if (is_start && used + 5 > size) /* room for the longest letter and the NUL */
            break;
        if (c <= ' ' || c == 0x7f) {
            if (used > 0 && out[used - 1] != ' ')
                out[used++] = ' ';
        } else if (c < 0x80 || alphabet == UTF8) {
            out[used++] = (char)c;
        } else if (used + 1 < size) {
            out[used++] = '?';
        }
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

/* {"clock.limit": ["Invalid value"], …}: the first of them. */
static bool put_field_error(ApiError *out, struct json_object *fields)
{
    struct json_object_iterator it = json_object_iter_begin(fields);
    struct json_object_iterator end = json_object_iter_end(fields);
    if (json_object_iter_equal(&it, &end))
        return false;
    const char *field = json_object_iter_peek_name(&it);
    struct json_object *value = json_object_iter_peek_value(&it);
    if (json_object_is_type(value, json_type_array))
        value = json_object_array_get_idx(value, 0);
    const char *what = json_object_is_type(value, json_type_string) ? json_object_get_string(value)
                                                                    : "not accepted";
    if (strcmp(field, "global") != 0) {
        put_line(out->text, sizeof out->text / 2, text_of(field), UTF8);
        size_t len = strlen(out->text);
        memcpy(out->text + len, ":", 2);
    }
    put_line(out->text, sizeof out->text, text_of(what), UTF8);
    return true;
}

static void parse_json(ApiError *out, struct json_object *json)
{
    Text text = jsonread_text(json, "error");
    struct json_object *fields = jsonread_object(json, "error");
    struct json_object *limit = jsonread_object(json, "ratelimit");
    if (text.len > 0)
        put_line(out->text, sizeof out->text, text, UTF8);
    else if (!fields || !put_field_error(out, fields))
        put_line(out->text, sizeof out->text, text_of("no reason given"), UTF8);
    put_line(out->limit_key, sizeof out->limit_key, jsonread_text(limit, "key"), UTF8);
    int64_t minutes = jsonread_int(json, "minutes", 0, LONGEST_WAIT_S / 60, 0);
    out->limit_seconds = jsonread_int(limit, "seconds", 0, LONGEST_WAIT_S, minutes * 60);
}

/* Where `needle` begins in `text`, letter case aside; its length when nowhere. */
static size_t find_text(Text text, size_t from, const char *needle)
{
    size_t len = strlen(needle);
    for (size_t i = from; i + len <= text.len; i++)
        if (strncasecmp(text.at + i, needle, len) == 0)
            return i;
    return text.len;
}

/* A page's title, or its first bytes. */
static void parse_page(ApiError *out, Text body)
{
    size_t start = find_text(body, 0, "<title>"), end = find_text(body, start, "</title>");
    Text shown = { body.at, body.len < 80 ? body.len : 80 };
    if (end < body.len)
        shown = (Text){ body.at + start + 7, end - start - 7 };
    char line[160] = "";
    put_line(line, sizeof line, shown, ASCII);
    if (line[0])
        text_format_cut(out->text, sizeof out->text, "no JSON but \"%s\"", line);
    else
        text_format(out->text, sizeof out->text, "no reason given");
}

void api_error_parse(ApiError *out, Text body)
{
    struct json_object *json = body.len > 0 ? jsonread_parse(body.at, body.len, NULL) : NULL;
    *out = (ApiError){ .is_json = json != NULL };
    if (json)
        parse_json(out, json);
    else
        parse_page(out, body);
    json_object_put(json);
}
