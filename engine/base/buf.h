/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buf.h - a growing byte buffer with a maximum. `text` is always NUL-terminated once anything was
 * put. Appending fails (false, buffer unchanged) when the result would pass `max` bytes or memory
 * runs out; nothing is ever cut. Owner's thread only. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdio.h>

typedef struct {
    char *text;      /* NULL until the first byte */
    size_t len;      /* bytes, without the NUL */
    size_t capacity; /* bytes allocated, NUL included */
    size_t max;      /* most bytes `len` may reach */
} Buf;

/* An empty buffer that may grow to `max` bytes. Allocates nothing yet. */
void buf_init(Buf *buf, size_t max);

/* Frees the bytes and leaves an empty buffer with the same maximum. */
void buf_release(Buf *buf);

/* Empties the buffer, keeps its memory. */
void buf_reset(Buf *buf);

bool buf_put(Buf *buf, const void *bytes, size_t len) MUST_CHECK;
bool buf_put_text(Buf *buf, const char *text) MUST_CHECK;
bool buf_put_char(Buf *buf, char c) MUST_CHECK;
bool buf_printf(Buf *buf, const char *format, ...) PRINTF_LIKE(2, 3) MUST_CHECK;

/* Appends all that is left of `file`. On failure (too large, a read error; the Error says which)
 * what was read before stays in the buffer. */
bool buf_read(Buf *buf, FILE *file, Error *err) MUST_CHECK;

/* Drops the first `len` bytes (at most all of them). */
void buf_consume(Buf *buf, size_t len);

/* The bytes as a C string, "" when empty; lent until the next change. */
const char *buf_view(const Buf *buf);

/* The bytes as a malloc'ed C string that the caller frees; leaves the buffer empty. NULL without
 * memory. */
char *buf_take(Buf *buf);
