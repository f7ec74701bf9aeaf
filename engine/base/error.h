/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.h - why something failed, as text for people. A plain value: no ownership, copy it freely.
 * A function that can fail because of the world takes an `Error *` that may be NULL, returns false,
 * and leaves its other out-parameters untouched. The first cause wins: error_set() on an Error that
 * is already set does nothing; callers add where, not what. */
#pragma once
#include <stdbool.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_at, args_at) __attribute__((format(printf, format_at, args_at)))

typedef enum {
    ERR_NONE,
    ERR_INVALID, /* the input breaks its format's rules */
    ERR_RANGE,   /* understood, but beyond a limit */
    ERR_IO,      /* the operating system refused: file, socket, process */
    ERR_MEMORY,  /* no memory */
    ERR_REFUSED, /* a peer refused */
    ERR_NOT_NOW, /* not possible now */
} ErrorCode;

typedef struct {
    ErrorCode code;
    char text[512]; /* one line, no trailing newline; cut (only here) when longer */
} Error;

/* Records `code` and the formatted text, unless `err` is NULL or holds an earlier cause. */
void error_set(Error *err, ErrorCode code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Puts "where: " in front of the text, so that the message grows from the inside out. Does nothing
 * when `err` is NULL or unset. */
void error_prefix(Error *err, const char *format, ...) PRINTF_LIKE(2, 3);

static inline bool error_is_set(const Error *err)
{
    return err && err->code != ERR_NONE;
}
