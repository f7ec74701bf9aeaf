/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_filter.h - which games of the archive a command is about, by its words. */
#pragma once
#include "bot/archive/store.h"
#include "bot/cli/command.h"

/* Read into a StoreFilter, whose texts are then words of the command line. */
extern const Option game_filter_options[];

/* Opens the archive (archive_place.h says which one). Says on stderr what is in the way and returns
 * how the command is to end; EXIT_FINE: *out is open, *config is the caller's. */
ExitStatus game_filter_open(Store **out, StoreMode mode, Config *config,
                            const CommandOptions *options);
