/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_request.h - a request on the daemon's control socket: one line of words, separated by
 * blanks, printable ASCII. "status", "drain 600", "challenge alba 3+2 rated". Pure. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

enum { CONTROL_LINE_MAX = 1024, CONTROL_WORDS_MAX = 16 };

typedef struct {
    int count; /* of words, at least 1 */
    const char *words[CONTROL_WORDS_MAX];
    char text[CONTROL_LINE_MAX]; /* what they lie in: do not copy the struct */
} ControlRequest;

/* Reads a line without its newline. */
bool control_request_parse(ControlRequest *out, const char *line, size_t len,
                           Error *err) MUST_CHECK;
