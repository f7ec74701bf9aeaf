/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_reader.h - bytes of a stream in, lines out: for NDJSON, and for what engines write.
 * Lines may be split anywhere, and several may come at once. A whole line inside one piece of input
 * is handed on without copying. */
#pragma once
#include "engine/base/buf.h"

enum { LINE_READER_MAX = 1 << 20 }; /* bytes; Lichess's longest lines have a few thousand */

typedef struct {
    /* A line without its newline (and without a '\r' before it), never empty; lent for the call. */
    void (*on_line)(void *user, const char *line, size_t len);
    /* An empty line: a keep-alive, where the stream is the server's. */
    void (*on_empty_line)(void *user);
    /* A line beyond the maximum (or beyond memory) was skipped; `start` is its beginning,
     * `line_len` counts all of it. */
    void (*on_long_line)(void *user, const char *start, size_t len, size_t line_len);
    void *user;
} LineReaderCallbacks;

typedef struct {
    LineReaderCallbacks callbacks;
    Buf partial;     /* an unfinished line */
    size_t too_long; /* bytes of the line being skipped so far; 0: none is */
    bool is_stopped; /* line_reader_stop() was called */
} LineReader;

/* `line_max` 1..LINE_READER_MAX, the longest line in bytes. */
void line_reader_init(LineReader *reader, const LineReaderCallbacks *callbacks, size_t line_max);
void line_reader_release(LineReader *reader);

/* Takes the next bytes and makes the calls that they complete. Keeps no memory between lines that
 * come whole. */
void line_reader_feed(LineReader *reader, const char *bytes, size_t len);

/* The stream ended: a last line without newline is delivered. */
void line_reader_finish(LineReader *reader);

/* For callbacks: no more calls from the feed that is running, nor from later ones. */
void line_reader_stop(LineReader *reader);
