/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - one event a line, for people and for grep: `level component event key=value …`.
 *
 *     log_info(log, "game", "move", FIELDS(F("id", id), F("ply", ply), F("uci", uci)));
 *     2026-08-03 14:02:11.480+02:00 info game move id=Qw8rTy2u ply=12 uci=e2e4
 *
 * Component, event and keys are literals. The key `id` is that of a game, or of the challenge that
 * it comes from. A value is quoted where it is empty or holds blanks, quotes or '=', and escaped
 * where it holds control characters or bytes that are no text: a stranger's name or chat line can
 * be logged as it is. Never pass a secret.
 *
 * Other forms of the same: see log_form.h. Beyond LOG_WARNINGS_MAX or LOG_LINES_MAX lines of one
 * event in a second the rest is counted, and told with the first line after that second. A reader
 * that does not read makes lines drop, never the caller wait; how many is said when there is room
 * again. Loop thread only. A NULL Log is silent. */
#pragma once
#include "bot/ops/log_form.h"
#include "engine/base/error.h"

#include <sys/un.h>

enum {
    LOG_WARNINGS_MAX = 20, /* lines of one event in a second: errors and warnings, */
    LOG_LINES_MAX = 200,   /* and the others */
    LOG_EVENTS_WATCHED = 32,
};

/* An event in the current second. */
typedef struct {
    const char *component, *event;
    int lines;
    unsigned long withheld;
} LogRepeats;

typedef struct {
    int fd;
    LogLevel level; /* the least urgent one that is written; may be changed at any time */
    LogForm form;
    unsigned long dropped;      /* lines since the last one written */
    struct sockaddr_un journal; /* LOG_FORM_JOURNAL: where it listens */
    int stream;                 /* and the one that the journal reads from us; -1: there is none */
    size_t last_error_len;
    char last_error[LOG_ENTRY_MAX]; /* as a line for `stream`; 0 bytes: no error yet */
    LogRepeats repeats[LOG_EVENTS_WATCHED];
    int64_t second_at_ms; /* when the current second began */
} Log;

#define LOG_JOURNAL_SOCKET "/run/systemd/journal/socket"

/* A field's value: text (char *, Text), a whole number, or a real one, which has two decimals. */
#define F(key, value)                                                                              \
    _Generic((value),                                                                              \
        char *: log_field_string,                                                                  \
        const char *: log_field_string,                                                            \
        Text: log_field_text,                                                                      \
        int: log_field_int,                                                                        \
        long: log_field_long,                                                                      \
        long long: log_field_longlong,                                                             \
        unsigned: log_field_unsigned,                                                              \
        unsigned long: log_field_ulong,                                                            \
        double: log_field_real)(key, value)

#define FIELDS(...)                                                                                \
    (LogFields)                                                                                    \
    {                                                                                              \
        (const LogField[]){ __VA_ARGS__ },                                                         \
            (int)(sizeof((const LogField[]){ __VA_ARGS__ }) / sizeof(LogField))                    \
    }
#define NO_FIELDS ((LogFields){ 0 })

/* Writes to `fd`, which stays the caller's; any form but LOG_FORM_JOURNAL. */
void log_init(Log *log, int fd, LogLevel level, LogForm form);

/* The same in `format`. LOG_AUTO: fields where `fd` leads to the journal ($JOURNAL_STREAM) and that
 * listens at `journal`, else text with a fitting prefix. False with an Error, and a log in text,
 * for LOG_JOURNAL without a listener. */
bool log_open(Log *log, int fd, LogLevel level, LogFormat format, const char *journal,
              Error *err) MUST_CHECK;
void log_close(Log *log);

/* For who ends by an error, before log_close(). The journal looks up whose entry it reads, finds
 * nobody if the sender has just ended, and shows the entry with no unit. A stream's unit it knows,
 * so the last error is said there once more; on other logs nothing is. */
void log_last_words(Log *log);

void log_error(Log *log, const char *component, const char *event, LogFields fields);
void log_warning(Log *log, const char *component, const char *event, LogFields fields);
void log_info(Log *log, const char *component, const char *event, LogFields fields);
void log_debug(Log *log, const char *component, const char *event, LogFields fields);
