/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ndjson.h - bytes of a stream in, lines out.
 * Lines may be split anywhere, and several may come at once. A whole line inside one piece of input
 * is handed on without copying. */
#pragma once
#include "engine/base/buf.h"

enum { NDJSON_LINE_MAX = 1 << 20 }; /* bytes; Lichess's longest lines have some thousands */

typedef struct {
    /* A line without its newline (and without a '\r' before it), never empty; lent for the call. */
    void (*on_line)(void *user, const char *line, size_t len);
    /* An empty line: the server's sign of life. */
    void (*on_keepalive)(void *user);
    /* A line beyond the maximum (or beyond memory) was skipped; `start` is its beginning,
     * `line_len` counts all of it. */
    void (*on_skipped)(void *user, const char *start, size_t len, size_t line_len);
    void *user;
} NdjsonCallbacks;

typedef struct {
    NdjsonCallbacks callbacks;
    Buf partial;     /* an unfinished line */
    size_t too_long; /* bytes of the line being skipped so far; 0: none is */
    bool is_stopped; /* ndjson_stop() was called */
} Ndjson;

/* `line_max` 1..NDJSON_LINE_MAX, the longest line in bytes. */
void ndjson_init(Ndjson *reader, const NdjsonCallbacks *callbacks, size_t line_max);
void ndjson_release(Ndjson *reader);

/* Takes the next bytes and makes the calls that they complete. Keeps no memory between lines that
 * come whole. */
void ndjson_feed(Ndjson *reader, const char *bytes, size_t len);

/* The stream ended: a last line without newline is delivered. */
void ndjson_finish(Ndjson *reader);

/* For callbacks: no more calls from the feed that is running, nor from later ones. */
void ndjson_stop(Ndjson *reader);
