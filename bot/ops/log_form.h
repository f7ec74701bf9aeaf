/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_form.h - an event of the log as the bytes that its reader wants. Pure.
 *
 * All forms are printable text (see printable.h), whatever strangers wrote. A line holds at most
 * LOG_LINE_MAX bytes and a few; what is cut ends in "…", and JSON stays JSON.
 *
 * JSON is one object a line: timestamp (UTC), level, component, event, then the values, numbers as
 * numbers; what is no text stands as it would in a line of text.
 * An entry for the journal has PRIORITY, SYSLOG_IDENTIFIER, MESSAGE (the line of text), and each
 * value as CASTLED_KEY; the format is systemd's "Native Journal Protocol".
 * Both call `id`, which is a game's or that of the challenge that it came from, "game". */
#pragma once
#include "bot/ops/log_event.h"

#include <time.h>

enum { LOG_ENTRY_MAX = 4 * LOG_LINE_MAX };

/* Returns the length. */
size_t log_form_write(LogForm form, const LogEvent *event, const struct timespec *now,
                      char out[LOG_ENTRY_MAX]);
