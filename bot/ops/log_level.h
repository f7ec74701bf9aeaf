/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_level.h - the closed lists that the log's parts share: how urgent a line is, which format the
 * operator asks for, which form comes of it. Pure. */
#pragma once

typedef enum { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_DEBUG, LEVEL_COUNT } LogLevel;

/* What the operator asks for. */
typedef enum { LOG_AUTO, LOG_TEXT, LOG_JSON, LOG_JOURNAL, LOG_FORMAT_COUNT } LogFormat;

/* What comes of it. */
typedef enum {
    LOG_FORM_PLAIN,    /* text alone */
    LOG_FORM_TIME,     /* … after the local time */
    LOG_FORM_PRIORITY, /* … after its priority, as journald reads it from a stream: "<6>" */
    LOG_FORM_JSON,
    LOG_FORM_JOURNAL, /* an entry with fields, to the journal's socket */
} LogForm;

enum { LOG_LINE_MAX = 2000 }; /* bytes; longer lines are cut and end in "…" */

/* "error", "warning", "info", "debug". */
extern const char *const log_level_names[LEVEL_COUNT];
