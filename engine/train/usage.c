/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/usage.h"

#include <stdio.h>
#include <string.h>

int usage_next_option(int *at, int argc, char *const *argv, const struct option *names, Error *err)
{
    int answer = getopt_long(argc, argv, ":", names, at); /* the colon makes it silent */
    if (answer != '?' && answer != ':')
        return answer;
    const char *given = argv[optind - 1];
    if (answer == ':')
        error_set(err, ERR_INVALID, "%s: its value is missing", given);
    else if (strncmp(given, "--", 2) == 0)
        error_set(err, ERR_INVALID, "%s: no such option", given);
    else
        error_set(err, ERR_INVALID, "-%c: no such option", optopt);
    return '?';
}

bool usage_take_options(int argc, char *const *argv, const struct option *names, UsageTake *take,
                        void *user, Error *err)
{
    for (int option, at; (option = usage_next_option(&at, argc, argv, names, err)) != -1;) {
        if (option == '?')
            return false;
        if (!take(user, option, err)) {
            error_prefix(err, "--%s", names[at].name);
            return false;
        }
    }
    return true;
}

int usage_exit(const char *program, const Error *err)
{
    fprintf(stderr, "%s: %s\n%s --help tells its usage\n", program, err->text, program);
    return EXIT_USAGE;
}
