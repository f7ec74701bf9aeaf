/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recording.h - keeps what the server sends on the event stream and on games' streams in a file,
 * one JSON object a line, so that it can be played back: tests/sim/README.md has the format. Left
 * out are chat, the secrets of seats (fullId) and what is no JSON; tokens are in no line. Players'
 * names are kept.
 *
 * Writes are asynchronous (I3): the loop waits for no disk. A write that fails, or a disk that does
 * not keep up, ends the recording, and the log says why; so does its size. Loop thread only. */
#pragma once
#include "bot/ops/log.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <uv.h>

typedef struct Recording Recording;

enum {
    RECORDING_BYTES_MAX = 64 << 20, /* of a file; then comes the record that says so */
    RECORDING_QUEUE_MAX = 4 << 20,  /* that the disk may be behind */
};

/* Makes the file, for its owner only, and returns its descriptor; -1 and an Error that says what to
 * do when it is there already or cannot be made. */
int recording_open_file(const char *path, Error *err) MUST_CHECK;

/* Time runs from here. Takes the descriptor, also when it fails; `log` is lent and outlives it.
 * `most_bytes` is RECORDING_BYTES_MAX but for tests. */
bool recording_new(Recording **out, uv_loop_t *loop, int file, size_t most_bytes, Log *log,
                   Error *err) MUST_CHECK;

/* The account, before all else. */
void recording_account(Recording *recording, const char *id, const char *name);

/* A line of `stream` ("event", "game/ID"), or the end of its body. */
void recording_line(Recording *recording, Text stream, Text line);
void recording_ended(Recording *recording, Text stream);

/* Writes what is left, then closes the file and frees it. NULL is fine. */
void recording_close(Recording *recording);
