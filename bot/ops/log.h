/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - one event a line, for a human and for grep: `level component event key=value …`.
 *
 *     log_info(log, "game", "move id=%s ply=%d uci=%s", id, ply, uci);
 *     2026-08-03 14:02:11.480 info game move id=Qw8rTy2u ply=12 uci=e2e4
 *
 * The format's first word is the event; the others are key=VALUE with one conversion each (%s %.*s
 * %c, %d %+d %u %x with l, ll or z, %.2f; no widths), or more of them side by side. The key `id` is
 * that of a game, or of the challenge that it comes from. A value is quoted where it is empty or
 * holds blanks, quotes or '=', and escaped where it holds control characters or bytes that are no
 * text: a stranger's name or chat line can be logged as it is. Never pass a secret.
 *
 * Other forms of the same: see log_form.h. A reader that does not read makes lines drop, never the
 * caller wait; how many is said when there is room again. Loop thread only. A NULL Log is silent.
 */
#pragma once
#include "bot/ops/log_level.h"
#include "engine/base/error.h"

#include <sys/un.h>

typedef struct {
    int fd;
    LogLevel level; /* the least urgent one that is written; may be changed at any time */
    LogForm form;
    unsigned long dropped;      /* lines since the last one written */
    struct sockaddr_un journal; /* LOG_FORM_JOURNAL: where it listens */
} Log;

#define LOG_JOURNAL_SOCKET "/run/systemd/journal/socket"

/* Writes to `fd`, which stays the caller's; any form but LOG_FORM_JOURNAL. */
void log_init(Log *log, int fd, LogLevel level, LogForm form);

/* The same in the form that `format` asks for. LOG_AUTO: fields where `fd` leads to the journal
 * ($JOURNAL_STREAM) and that listens at `journal`, else text with a prefix that fits. False with an
 * Error, and a log in text, when LOG_JOURNAL was asked for and nobody listens. */
bool log_open(Log *log, int fd, LogLevel level, LogFormat format, const char *journal,
              Error *err) MUST_CHECK;
void log_close(Log *log);

void log_error(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_warning(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_info(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
void log_debug(Log *log, const char *component, const char *format, ...) PRINTF_LIKE(3, 4);
