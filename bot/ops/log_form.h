/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_form.h - an event of the log as bytes, in one of several forms. Pure.
 *
 * All forms are text, whatever strangers wrote. A line holds at most LOG_LINE_MAX bytes and a few;
 * what is cut ends in "…", and JSON stays JSON.
 *
 * JSON is one object a line: timestamp (UTC), level, component, event, then the values, numbers as
 * numbers; bytes that are no text stand as \xHH. An entry for the journal has PRIORITY,
 * SYSLOG_IDENTIFIER, MESSAGE (the line of text), and each value as CASTLED_KEY; the format is
 * systemd's "Native Journal Protocol". Both call `id`, which is a game's or that of the challenge
 * that it came from, "game". */
#pragma once
#include "bot/ops/log_level.h"
#include "engine/base/text.h"

#include <stdint.h>
#include <time.h>

typedef enum { FIELD_TEXT, FIELD_INTEGER, FIELD_NATURAL, FIELD_REAL } LogFieldKind;

typedef struct {
    const char *key;
    LogFieldKind kind;
    union {
        Text text; /* as it came, nothing escaped */
        int64_t integer;
        uint64_t natural;
        double real;
    };
} LogField;

/* Lent. */
typedef struct {
    const LogField *at;
    int count;
} LogFields;

typedef struct {
    LogLevel level;
    const char *component, *event;
    LogFields fields;
} LogEvent;

enum { LOG_ENTRY_MAX = 4 * LOG_LINE_MAX };

/* Returns the length; 0: no memory. */
size_t log_form_write(LogForm form, const LogEvent *event, const struct timespec *now,
                      char out[LOG_ENTRY_MAX]);

static inline LogField log_field_text(const char *key, Text value)
{
    return (LogField){ .key = key, .kind = FIELD_TEXT, .text = value };
}

static inline LogField log_field_string(const char *key, const char *value)
{
    return log_field_text(key, text_of(value));
}

static inline LogField log_field_longlong(const char *key, long long value)
{
    return (LogField){ .key = key, .kind = FIELD_INTEGER, .integer = value };
}

static inline LogField log_field_long(const char *key, long value)
{
    return log_field_longlong(key, value);
}

static inline LogField log_field_int(const char *key, int value)
{
    return log_field_longlong(key, value);
}

static inline LogField log_field_ulong(const char *key, unsigned long value)
{
    return (LogField){ .key = key, .kind = FIELD_NATURAL, .natural = value };
}

static inline LogField log_field_unsigned(const char *key, unsigned value)
{
    return log_field_ulong(key, value);
}

static inline LogField log_field_real(const char *key, double value)
{
    return (LogField){ .key = key, .kind = FIELD_REAL, .real = value };
}
