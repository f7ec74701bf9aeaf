/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.h - how the programs here answer a command line that is wrong: with what is wrong, and
 * where to look. Their whole usage is what --help prints. */
#pragma once
#include "engine/base/error.h"

#include <getopt.h>

enum { EXIT_USAGE = 64 };

/* The next option of the command line, by getopt_long() without short options: its value in
 * `names`, and *at is its row. -1 behind the last one, '?' and an error for what is none of `names`
 * or lacks its value. */
int usage_next_option(int *at, int argc, char *const *argv, const struct option *names, Error *err);

/* Takes an option, whose value is in optarg. */
typedef bool UsageTake(void *user, int option, Error *err);

/* All options of the command line, one by one; an error names the one that was refused. */
bool usage_take_options(int argc, char *const *argv, const struct option *names, UsageTake *take,
                        void *user, Error *err) MUST_CHECK;

/* Prints the error to standard error. The status to exit with. */
int usage_exit(const char *program, const Error *err);
