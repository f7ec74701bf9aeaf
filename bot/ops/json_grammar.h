/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_grammar.h - whether a text is JSON by the grammar of RFC 8259. json-c takes more than that,
 * and what its strict mode refuses differs between versions: 0.18 takes every letter beyond ASCII
 * for a control character. So this decides, and json-c only builds the tree. Pure: any thread. */
#pragma once
#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    JSON_DEPTH_MAX = 16,         /* objects and arrays within each other */
    JSON_CONTAINERS_MAX = 20000, /* objects and arrays in all: each takes json-c 800 bytes */
};

/* True if text[0..len) is one value with nothing but blanks around it, within the limits above;
 * else false and an Error with the place. Control characters are let through within strings, which
 * are escaped where they are shown; whether strings are UTF-8 is not looked at. */
bool json_grammar_check(const char *text, size_t len, Error *err) MUST_CHECK;
