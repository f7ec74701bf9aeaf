/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

void usage_refuse(Error *err, int answer, char *const *argv)
{
    const char *given = argv[optind - 1];
    if (answer == ':')
        error_set(err, ERR_INVALID, "%s: its value is missing", given);
    else if (strncmp(given, "--", 2) == 0)
        error_set(err, ERR_INVALID, "%s: no such option", given);
    else
        error_set(err, ERR_INVALID, "-%c: no such option", optopt);
}

int usage_exit(const char *program, const Error *err)
{
    fprintf(stderr, "%s: %s\n%s --help tells its usage\n", program, err->text, program);
    return EXIT_USAGE;
}
