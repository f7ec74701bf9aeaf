/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_error.h - what the server says when it says no, in whatever shape: {"error": text},
 * {"error": {field: [texts]}}, with or without {"ratelimit": {key, seconds}} or {"minutes": N}, or
 * a page of HTML from a proxy. A plain value without ownership. */
#pragma once
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char text[200];        /* one line, cut when longer, valid UTF-8, no control characters */
    char limit_key[40];    /* "bot.vsBot.day"; "" when there is no ratelimit object */
    int64_t limit_seconds; /* duration of a rate limit or a ban; 0: unknown; at most a week */
    bool is_json;          /* the server's own words, not a page of a proxy in front of it */
} ApiError;

/* Never fails: a body that can't be read gives a text that says so. */
void api_error_parse(ApiError *out, Text body);
