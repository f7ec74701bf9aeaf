/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_launch.h"

#include "bot/source/priority.h"
#include "engine/base/number.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    FIRST_ARGUMENT = 2, /* our process id, the path, argv[0] … */
    NO_ENGINE = 127,    /* a shell's status for a program that can't be run */
};

bool external_launch_is_asked(int argc, char *const *argv)
{
    return argc > FIRST_ARGUMENT + 2 && strcmp(argv[1], EXTERNAL_LAUNCH) == 0;
}

int external_launch(int argc, char *const *argv)
{
    int64_t parent;
    const char *number = argv[FIRST_ARGUMENT];
    const char *program = argv[FIRST_ARGUMENT + 1];
    (void)argc; /* argv ends with NULL, and so does the engine's */
    if (!number_parse(number, strlen(number), 1, INT32_MAX, &parent, NULL))
        return NO_ENGINE;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != (pid_t)parent)
        return NO_ENGINE; /* who wanted it died before that */
    setpriority(PRIO_PROCESS, 0, priority_of_searches());
    close_range(STDERR_FILENO + 1, ~0U, 0);
    execv(program, argv + FIRST_ARGUMENT + 2);
    fprintf(stderr, "%s: %s\n", program, strerror(errno));
    return NO_ENGINE;
}
