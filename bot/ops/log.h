/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - one event a line, for a human and for grep: `level component event key=value …`.
 *
 *     log_info(log, "game", "move id=%s ply=%d uci=%s", id, ply, uci);
 *     2026-08-03 14:02:11.480 info game move id=Qw8rTy2u ply=12 uci=e2e4
 *
 * The format's first word is the event; the others are key=VALUE with one conversion each (%s %.*s
 * %c, %d %+d %u %x with l, ll or z, %.2f; no widths), or plain words. What %s and %c bring is
 * quoted where it is empty or holds blanks, quotes or '=', and escaped where it holds control
 * characters or bytes that are no text: a stranger's name or chat line can be logged as it is.
 * Never pass a secret.
 *
 * Under systemd (JOURNAL_STREAM) a line begins with its priority as journald reads it ("<6>"), else
 * with the time. A reader that does not read makes lines drop, never the caller wait; how many is
 * said when there is room again. Loop thread only. A NULL Log is silent. */
#pragma once
#include "engine/base/error.h"

typedef enum { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_DEBUG, LEVEL_COUNT } LogLevel;

typedef enum { LOG_FORM_PLAIN /* no prefix */, LOG_FORM_TIME, LOG_FORM_JOURNAL } LogForm;

typedef struct {
    int fd;
    LogLevel level; /* the least urgent one that is written; may be changed at any time */
    LogForm form;
    unsigned long dropped; /* lines since the last one written */
} Log;

enum { LOG_LINE_MAX = 2000 }; /* bytes; longer lines are cut and end in "…" */

/* Writes to `fd`, which stays the caller's. */
void log_init(Log *log, int fd, LogLevel level, LogForm form);

/* What standard error wants: journal under systemd, else time. */
LogForm log_form_for(int fd);

void log_error(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_warning(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_info(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_debug(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);

/* "error", "warning", "info", "debug". */
const char *log_level_name(LogLevel level);
