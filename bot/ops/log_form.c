/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log_form.h"

#include "bot/ops/printable.h"

#include <ctype.h>
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

static void put_time(Line *line, const struct tm *when, char between, long ns)
{
    char stamp[64];
    size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", when);
    int more = snprintf(stamp + n, sizeof stamp - n, ".%03ld", ns / 1000000);
    if (n == 0 || more <= 0)
        return;
    *strchr(stamp, ' ') = between;
    put_string(line, stamp);
}

/* Text. */

static bool needs_quotes(Text text)
{
    if (text.len == 0)
        return true;
    while (text.len > 0) {
        char first = *text.at;
        if (printable_take(&text).is_escaped || strchr(" \"=\\", first))
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
        PrintableChar c = printable_take(&text);
        if (first == '"' || first == '\\')
            put(line, (char[]){ '\\', first }, 2);
        else
            put(line, c.text, c.len);
    }
    if (quoted)
        put_char(line, '"');
}

static void put_text(Line *line, const LogEvent *event)
{
    put_string(line, log_level_name(event->level));
    put_char(line, ' ');
    put_string(line, event->component);
    for (int i = 0; i < event->count; i++) {
        const LogField *field = &event->fields[i];
        put_char(line, ' ');
        if (i > 0) {
            put(line, field->key.at, field->key.len);
            put_char(line, '=');
        }
        put_value(line, field->value);
    }
    if (line->is_cut || event->is_cut)
        put_ending(line, cut_mark);
}

/* The key where programs read it: what a game's lines have in common has one plain name. */
static Text key_for_programs(const LogField *field)
{
    return text_is(field->key, "id") ? text_of("game") : field->key;
}

/* JSON. */

static void put_json_string(Line *line, Text text)
{
    put_char(line, '"');
    while (text.len > 0 && !line->is_cut) {
        char first = *text.at;
        PrintableChar c = printable_take(&text);
        bool is_json_escape = c.is_escaped && (first == '\n' || (c.text[1] == 'u' && c.len == 6));
        if (first == '"' || first == '\\' || (c.is_escaped && !is_json_escape)) {
            char escaped[PRINTABLE_CHAR_SIZE + 1] = "\\";
            memcpy(escaped + 1, c.text, c.len);
            put(line, escaped, c.len + 1);
        } else {
            put(line, c.text, c.len);
        }
    }
    put_ending(line, line->is_cut ? "\xe2\x80\xa6\"" : "\"");
}

/* A member that does not fit is cut where it is a string, else left out with all that follow. */
static void put_member(Line *line, Text key, Text value, bool is_number)
{
    size_t start = line->len;
    put_char(line, ',');
    put_char(line, '"');
    put(line, key.at, key.len);
    put_string(line, is_number ? "\":" : "\":\"");
    if (line->is_cut) {
        line->len = start;
        return;
    }
    if (!is_number) {
        line->len--;
        put_json_string(line, value);
        return;
    }
    put(line, value.at, value.len);
    if (line->is_cut)
        line->len = start;
}

static void put_json(Line *line, const LogEvent *event, const struct timespec *now)
{
    struct tm utc;
    put_string(line, "{\"timestamp\":\"");
    if (gmtime_r(&now->tv_sec, &utc))
        put_time(line, &utc, 'T', now->tv_nsec);
    put_string(line, "Z\",\"level\":\"");
    put_string(line, log_level_name(event->level));
    put_char(line, '"');
    put_member(line, text_of("component"), text_of(event->component), false);
    for (int i = 0; i < event->count && !line->is_cut; i++) {
        const LogField *field = &event->fields[i];
        put_member(line, key_for_programs(field), field->value, field->is_number);
    }
    put_ending(line, "}");
}

/* The journal. */

static void put_entry_field(Line *line, Text key, Text value)
{
    char name[FIELD_NAME_MAX + 1] = "CASTLED_";
    size_t len = strlen(name);
    for (size_t i = 0; i < key.len && len < FIELD_NAME_MAX; i++, len++)
        name[len] =
            (char)(isalnum((unsigned char)key.at[i]) ? toupper((unsigned char)key.at[i]) : '_');
    size_t start = line->len;
    put(line, name, len);
    put_char(line, '=');
    while (value.len > 0) {
        PrintableChar c = printable_take(&value);
        put(line, c.text, c.len);
    }
    put_char(line, '\n');
    if (line->is_cut)
        line->len = start; /* the message tells what of it there is room for */
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
    put_entry_field(line, text_of("component"), text_of(event->component));
    for (int i = 0; i < event->count; i++)
        put_entry_field(line, key_for_programs(&event->fields[i]), event->fields[i].value);
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
            put_time(&line, &local, ' ', now->tv_nsec);
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
