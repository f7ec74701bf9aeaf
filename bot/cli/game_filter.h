/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_filter.h - which games of the archive a command is about, as its words say. */
#pragma once
#include "bot/archive/store.h"
#include "bot/cli/command.h"

typedef struct {
    StoreFilter filter;                 /* its texts are words of the command line */
    const char *ids[COMMAND_WORDS_MAX]; /* words that are no options */
    int id_count;
    bool as_json; /* --json */
} GameFilter;

/* May ids of games stand there, too? */
typedef enum { FILTER_ALONE, FILTER_AND_IDS } GameFilterWords;

/* False and an Error that names the word that is wrong. */
bool game_filter_read(GameFilter *out, const CommandOptions *options, GameFilterWords taken,
                      Error *err) MUST_CHECK;

/* Opens the archive (archive_place.h says which one). Says on stderr what is in the way and returns
 * how the command is to end; EXIT_FINE: *out is open, *config is the caller's. */
ExitStatus game_filter_open(Store **out, StoreMode mode, Config *config,
                            const CommandOptions *options);
