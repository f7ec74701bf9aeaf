/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_event.h - what a call of log.h said, taken apart: an event and its values, not yet written
 * down in any form. Pure. */
#pragma once
#include "bot/ops/log_level.h"
#include "engine/base/text.h"

#include <stdarg.h>

enum { LOG_FIELDS_MAX = 20 };

typedef struct {
    Text key;       /* in the format */
    Text value;     /* in the event: as it came, nothing escaped */
    bool is_number; /* as JSON has them */
} LogField;

typedef struct {
    LogLevel level;
    const char *component;
    LogField fields[LOG_FIELDS_MAX]; /* the first is the event's name */
    int count;
    bool is_cut; /* there was more than `values` holds */
    size_t len;
    char values[LOG_LINE_MAX];
} LogEvent;

/* Reads `format` and its arguments, as log.h has them, into `out`, which must stay where it is as
 * long as its fields are used. */
void log_event_read(LogEvent *out, LogLevel level, const char *component, const char *format,
                    va_list arguments);
