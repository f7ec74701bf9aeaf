/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log_event.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    va_list list;
} Arguments;

/* The field that is being read. */
typedef struct {
    LogEvent *event;
    LogField *field;
    int pieces; /* that its value has been put together from */
} Reading;

/* As many whole characters as there is room for. */
static void put(Reading *reading, const char *text, size_t len)
{
    LogEvent *event = reading->event;
    size_t room = event->is_cut ? 0 : sizeof event->values - event->len;
    if (len > room) {
        event->is_cut = true;
        for (len = room; len > 0 && (text[len] & 0xc0) == 0x80; len--)
            continue;
    }
    memcpy(event->values + event->len, text, len);
    event->len += len;
    reading->field->value.len += len;
    reading->field->is_number = false;
    reading->pieces++;
}

static void put_number(Reading *reading, const char *text, int len, size_t size, bool is_number)
{
    if (len > 0)
        put(reading, text, (size_t)len < size ? (size_t)len : size - 1);
    reading->field->is_number = is_number && reading->pieces == 1;
}

/* What stands between '%' and the conversion's letter. */
typedef struct {
    bool plus;
    int precision; /* -1: none */
    enum { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE } length;
} Conversion;

static intmax_t next_signed(Arguments *args, const Conversion *how)
{
    switch (how->length) {
    case LENGTH_INT:
        return va_arg(args->list, int);
    case LENGTH_LONG:
        return va_arg(args->list, long);
    case LENGTH_LONG_LONG:
        return va_arg(args->list, long long);
    case LENGTH_SIZE:
        return va_arg(args->list, ptrdiff_t);
    }
    return 0;
}

static uintmax_t next_unsigned(Arguments *args, const Conversion *how)
{
    switch (how->length) {
    case LENGTH_INT:
        return va_arg(args->list, unsigned);
    case LENGTH_LONG:
        return va_arg(args->list, unsigned long);
    case LENGTH_LONG_LONG:
        return va_arg(args->list, unsigned long long);
    case LENGTH_SIZE:
        return va_arg(args->list, size_t);
    }
    return 0;
}

/* Reads a conversion from the character after '%' up to its letter, which it returns a pointer to.
 */
static const char *conversion_read(const char *at, Conversion *how, Arguments *args)
{
    *how = (Conversion){ .precision = -1 };
    for (; *at == '+'; at++)
        how->plus = true;
    if (*at == '.') {
        how->precision = 0;
        if (*++at == '*') {
            how->precision = va_arg(args->list, int);
            at++;
        }
        for (; *at >= '0' && *at <= '9'; at++)
            how->precision = how->precision * 10 + (*at - '0');
    }
    if (*at == 'z') {
        how->length = LENGTH_SIZE;
        at++;
    } else if (*at == 'l') {
        how->length = at[1] == 'l' ? LENGTH_LONG_LONG : LENGTH_LONG;
        at += how->length == LENGTH_LONG_LONG ? 2 : 1;
    }
    return at;
}

/* Puts one argument. False for a letter that this log does not know. */
static bool put_argument(Reading *reading, char letter, const Conversion *how, Arguments *args)
{
    char number[400]; /* %f of the largest double has 309 digits before its point */
    int len;
    switch (letter) {
    case 's': {
        const char *value = va_arg(args->list, const char *);
        if (!value)
            value = "(null)";
        put(reading, value,
            how->precision < 0 ? strlen(value) : strnlen(value, (size_t)how->precision));
        return true;
    }
    case 'c': {
        char value = (char)va_arg(args->list, int);
        put(reading, &value, 1);
        return true;
    }
    case 'd':
        len = snprintf(number, sizeof number, how->plus ? "%+jd" : "%jd", next_signed(args, how));
        put_number(reading, number, len, sizeof number, !how->plus);
        return true;
    case 'u':
        len = snprintf(number, sizeof number, "%ju", next_unsigned(args, how));
        put_number(reading, number, len, sizeof number, true);
        return true;
    case 'x':
        len = snprintf(number, sizeof number, "%jx", next_unsigned(args, how));
        put_number(reading, number, len, sizeof number, false);
        return true;
    case 'f': {
        double value = va_arg(args->list, double);
        len =
            snprintf(number, sizeof number, "%.*f", how->precision < 0 ? 6 : how->precision, value);
        put_number(reading, number, len, sizeof number, isfinite(value));
        return true;
    }
    default:
        return false;
    }
}

/* The next field, whose key begins at `key`. Returns where its value begins in the format. */
static const char *next_field(Reading *reading, const char *key)
{
    LogEvent *event = reading->event;
    assert(event->count < LOG_FIELDS_MAX && "more values than an event has");
    if (event->count == LOG_FIELDS_MAX)
        event->count--;
    size_t len = strcspn(key, " =");
    assert(key[len] == '=' && "each word but the first is key=value");
    reading->field = &event->fields[event->count++];
    *reading->field = (LogField){ { key, len }, { event->values + event->len, 0 }, false };
    reading->pieces = 0;
    return key + len + (key[len] == '=');
}

void log_event_read(LogEvent *out, LogLevel level, const char *component, const char *format,
                    va_list arguments)
{
    Arguments args;
    Reading reading = { .event = out, .field = out->fields };
    out->level = level;
    out->component = component;
    out->count = 1;
    out->is_cut = false;
    out->len = 0;
    out->fields[0] = (LogField){ text_of("event"), { out->values, 0 }, false };
    va_copy(args.list, arguments);
    for (const char *at = format; *at;) {
        if (*at == ' ') {
            at = next_field(&reading, at + 1);
        } else if (*at != '%' || at[1] == '%') {
            put(&reading, at, 1);
            at += *at == '%' ? 2 : 1;
        } else {
            Conversion how;
            at = conversion_read(at + 1, &how, &args);
            if (!put_argument(&reading, *at, &how, &args)) {
                assert(false && "the log does not know this conversion");
                break;
            }
            at++;
        }
    }
    va_end(args.list);
}
