/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.h - how the programs here answer a command line that is wrong: with what is wrong, and
 * where to look. Their whole usage is what --help prints. */
#pragma once
#include "engine/base/error.h"

enum { EXIT_USAGE = 64 };

/* What getopt_long() did not take when it answered '?' or ':'; it was given ":" for short options,
 * and is silent by that. */
void usage_refuse(Error *err, int answer, char *const *argv);

/* Prints the error to standard error. The status to exit with. */
int usage_exit(const char *program, const Error *err);
