/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log_form.h"

#include "bot/ops/json_put.h"
#include "bot/ops/printable.h"

#include <ctype.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char cut_mark[] = "\xe2\x80\xa6"; /* … */
static const int priorities[LEVEL_COUNT] = {
    [LEVEL_ERROR] = 3, [LEVEL_WARNING] = 4, [LEVEL_INFO] = 6, [LEVEL_DEBUG] = 7
};

enum { FIELD_NAME_MAX = 64 /* the journal's */, ENDING = 16 /* room beyond a line's limit */ };

typedef struct {
    char *text;
    size_t len, limit;
    bool is_cut;
} Line;

/* All of text[0..len) or nothing, so that no character is torn. */
static void put(Line *line, const char *text, size_t len)
{
    if (line->is_cut || line->len + len > line->limit) {
        line->is_cut = true;
        return;
    }
    memcpy(line->text + line->len, text, len);
    line->len += len;
}

static void put_char(Line *line, char c)
{
    put(line, &c, 1);
}

static void put_string(Line *line, const char *text)
{
    put(line, text, strlen(text));
}

/* What comes after a cut, too: there is room for ENDING. */
static void put_ending(Line *line, const char *text)
{
    size_t len = strlen(text);
    memcpy(line->text + line->len, text, len);
    line->len += len;
}

/* RFC 3339; `between` date and time a blank for people, 'T' for programs. */
static size_t write_time(char *out, size_t size, const struct tm *when, char between, long ns)
{
    char zone[16] = "Z";
    size_t len = strftime(out, size, "%Y-%m-%d %H:%M:%S", when);
    if (len == 0)
        return 0;
    out[10] = between;
    if (between == ' ' && strftime(zone, sizeof zone, "%z", when) == 5) { /* +hhmm */
        memmove(zone + 4, zone + 3, 3);
        zone[3] = ':';
    }
    int more = snprintf(out + len, size - len, ".%03ld%s", ns / 1000000, zone);
    return more > 0 ? len + (size_t)more : 0;
}

/* Text. */

static bool needs_quotes(Text text)
{
    if (text.len == 0)
        return true;
    while (text.len > 0) {
        char first = *text.at;
        if (printable_next(&text).is_escaped || strchr(" \"=\\", first))
            return true;
    }
    return false;
}

/* A value from anywhere: as it is, or quoted and escaped. */
static void put_value(Line *line, Text text)
{
    bool quoted = needs_quotes(text);
    if (quoted)
        put_char(line, '"');
    while (text.len > 0) {
        char first = *text.at;
        PrintableChar c = printable_next(&text);
        if (first == '"' || first == '\\')
            put(line, (char[]){ '\\', first }, 2);
        else
            put(line, c.text, c.len);
    }
    if (quoted)
        put_char(line, '"');
}

enum { NUMBER_SIZE = 400 }; /* the largest double has 309 digits before its point */

/* A field's value as text; a number is written into `place`. */
static Text value_of(const LogField *field, char place[NUMBER_SIZE])
{
    int len = 0;
    switch (field->kind) {
    case FIELD_TEXT:
        return field->text;
    case FIELD_INTEGER:
        len = snprintf(place, NUMBER_SIZE, "%" PRId64, field->integer);
        break;
    case FIELD_NATURAL:
        len = snprintf(place, NUMBER_SIZE, "%" PRIu64, field->natural);
        break;
    case FIELD_REAL:
        len = snprintf(place, NUMBER_SIZE, "%.2f", field->real);
        break;
    }
    return (Text){ place, len > 0 ? (size_t)len : 0 };
}

static void put_text(Line *line, const LogEvent *event)
{
    char number[NUMBER_SIZE];
    put_string(line, log_level_names[event->level]);
    put_char(line, ' ');
    put_string(line, event->component);
    put_char(line, ' ');
    put_string(line, event->event);
    for (int i = 0; i < event->fields.count; i++) {
        const LogField *field = &event->fields.at[i];
        put_char(line, ' ');
        put_string(line, field->key);
        put_char(line, '=');
        put_value(line, value_of(field, number));
    }
    if (line->is_cut)
        put_ending(line, cut_mark);
}

/* The key where programs read it: what a game's lines have in common has one plain name. */
static const char *key_for_programs(const LogField *field)
{
    return strcmp(field->key, "id") == 0 ? "game" : field->key;
}

/* JSON. */

/* As much of the text as `most` bytes hold, its invalid bytes as \xHH. */
static struct json_object *json_text(Text text, size_t most)
{
    char copy[LOG_LINE_MAX + PRINTABLE_CHAR_SIZE + sizeof cut_mark];
    size_t len = 0;
    while (text.len > 0 && len < most) {
        const char *from = text.at;
        PrintableChar c = printable_next(&text);
        size_t taken = (size_t)(text.at - from);
        bool is_text = !c.is_escaped || (c.text[1] != 'x' && c.len <= 6);
        memcpy(copy + len, is_text ? from : c.text, is_text ? taken : c.len);
        len += is_text ? taken : c.len;
    }
    if (text.len > 0) {
        memcpy(copy + len, cut_mark, sizeof cut_mark - 1);
        len += sizeof cut_mark - 1;
    }
    return json_object_new_string_len(copy, (int)len);
}

static struct json_object *json_value(const LogField *field, size_t most)
{
    char number[NUMBER_SIZE];
    switch (field->kind) {
    case FIELD_TEXT:
        break;
    case FIELD_INTEGER:
        return json_object_new_int64(field->integer);
    case FIELD_NATURAL:
        return json_object_new_uint64(field->natural);
    case FIELD_REAL:
        if (isfinite(field->real))
            return json_object_new_double_s(field->real, value_of(field, number).at);
        break;
    }
    return json_text(value_of(field, number), most);
}

/* The event with each text cut to `most` bytes. */
static struct json_object *json_event(const LogEvent *event, const struct timespec *now,
                                      size_t most)
{
    struct json_object *object = json_object_new_object();
    struct tm utc;
    char stamp[64] = "";
    if (gmtime_r(&now->tv_sec, &utc))
        write_time(stamp, sizeof stamp, &utc, 'T', now->tv_nsec);
    json_put_text(object, "timestamp", stamp);
    json_put_text(object, "level", log_level_names[event->level]);
    json_put_text(object, "component", event->component);
    json_put_text(object, "event", event->event);
    for (int i = 0; i < event->fields.count; i++)
        json_put_value(object, key_for_programs(&event->fields.at[i]),
                       json_value(&event->fields.at[i], most));
    return object;
}

static void put_json(Line *line, const LogEvent *event, const struct timespec *now)
{
    size_t len = LOG_LINE_MAX + 1;
    for (size_t most = LOG_LINE_MAX; len > LOG_LINE_MAX && most > 0; most /= 4) {
        struct json_object *object = json_event(event, now, most);
        const char *text = json_object_to_json_string_length(
            object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
        if (text && len <= LOG_LINE_MAX)
            put(line, text, len);
        json_object_put(object);
    }
}

/* The journal. */

static void put_entry_field(Line *line, const char *key, Text value)
{
    char name[FIELD_NAME_MAX + 1] = "CASTLED_";
    size_t len = strlen(name);
    for (; *key && len < FIELD_NAME_MAX; key++, len++)
        name[len] = (char)(isalnum((unsigned char)*key) ? toupper((unsigned char)*key) : '_');
    size_t start = line->len;
    put(line, name, len);
    put_char(line, '=');
    while (value.len > 0) {
        PrintableChar c = printable_next(&value);
        put(line, c.text, c.len);
    }
    put_char(line, '\n');
    if (line->is_cut)
        line->len = start; /* the message holds as much of it as fits */
}

static void put_entry(Line *line, const LogEvent *event)
{
    char message[LOG_LINE_MAX + ENDING];
    Line text = { .text = message, .limit = LOG_LINE_MAX };
    put_text(&text, event);
    put_string(line, "PRIORITY=");
    put_char(line, (char)('0' + priorities[event->level]));
    put_string(line, "\nSYSLOG_IDENTIFIER=castled\nMESSAGE=");
    put(line, message, text.len);
    put_char(line, '\n');
    put_entry_field(line, "component", text_of(event->component));
    put_entry_field(line, "event", text_of(event->event));
    for (int i = 0; i < event->fields.count; i++) {
        char number[NUMBER_SIZE];
        const LogField *field = &event->fields.at[i];
        put_entry_field(line, key_for_programs(field), value_of(field, number));
    }
}

size_t log_form_write(LogForm form, const LogEvent *event, const struct timespec *now,
                      char out[LOG_ENTRY_MAX])
{
    Line line = { .text = out, .limit = LOG_LINE_MAX };
    struct tm local;
    switch (form) {
    case LOG_FORM_JOURNAL:
        line.limit = LOG_ENTRY_MAX;
        put_entry(&line, event);
        return line.len;
    case LOG_FORM_JSON:
        put_json(&line, event, now);
        put_ending(&line, "\n");
        return line.len;
    case LOG_FORM_PRIORITY:
        put_char(&line, '<');
        put_char(&line, (char)('0' + priorities[event->level]));
        put_char(&line, '>');
        break;
    case LOG_FORM_TIME:
        if (localtime_r(&now->tv_sec, &local)) {
            char stamp[64];
            put(&line, stamp, write_time(stamp, sizeof stamp, &local, ' ', now->tv_nsec));
            put_char(&line, ' ');
        }
        break;
    case LOG_FORM_PLAIN:
        break;
    }
    put_text(&line, event);
    put_ending(&line, "\n");
    return line.len;
}
