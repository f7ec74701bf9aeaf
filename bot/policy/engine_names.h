/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_names.h - which engine another bot runs, by what it says of itself: its biography, its
 * greeting, its answer to !name. Pure.
 *
 * By a list of lines "NAME = PATTERN"; a '#' begins a comment line. The pattern has to fit all that
 * was said: '*' is any text, '#' a version (digits and dots), '{}' any text that goes into the
 * name, one of the latter two at most. Neither case nor the number of blanks counts, and what was
 * said begins and ends with a blank. In NAME the version or text takes the place of its mark. The
 * first line that fits decides; where its NAME is "-", nothing is known. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>

enum {
    ENGINE_NAME_SIZE = 48,
    ENGINE_PATTERN_SIZE = 120,
    ENGINE_NAMES_MAX = 200,
    ENGINE_SAID_MAX = 600,      /* bytes; of more only these are looked at */
    ENGINE_NAME_LIFE_DAYS = 30, /* for which what was found is believed */
};

typedef struct {
    char name[ENGINE_NAME_SIZE], pattern[ENGINE_PATTERN_SIZE];
} EngineNameLine;

typedef struct EngineNames {
    int count;
    EngineNameLine lines[ENGINE_NAMES_MAX];
} EngineNames;

/* False and an Error that names the line; *out is then empty. */
bool engine_names_parse(EngineNames *out, Text text, Error *err) MUST_CHECK;

/* The name in lower case, "stockfish 17.1". False, and "" in `out`: not known. */
bool engine_names_find(const EngineNames *names, Text said, char out[ENGINE_NAME_SIZE]);

/* Is `name` among "stockfish*, lc0", in any case? An empty name is in no list. */
bool engine_name_is_among(const char *list, const char *name);

/* The list that castled comes with: "engines.txt". Made by the build. */
Text engine_names_asset(const char *name);
