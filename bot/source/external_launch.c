/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_launch.h"

#include "bot/ops/process_tree.h"
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

/* Asks to be told when `parent` ends; false: it has ended already. */
static bool follow(pid_t parent, int with_signal)
{
    prctl(PR_SET_PDEATHSIG, with_signal);
    return getppid() == parent;
}

/* Where memory runs out the kernel ends the engine, not us. Without /proc all are alike. */
static void die_first(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file) {
        fputs("500", file);
        fclose(file);
    }
}

static int become_engine(char *const *words)
{
    setsid(); /* so that what it does to its group does not end who watches it */
    setpriority(PRIO_PROCESS, 0, priority_of_searches());
    die_first();
    close_range(STDERR_FILENO + 1, ~0U, 0);
    process_tree_leave();
    execv(words[0], words + 1);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    return NO_ENGINE;
}

int external_launch(int argc, char *const *argv)
{
    int64_t parent;
    const char *number = argv[FIRST_ARGUMENT];
    (void)argc; /* argv ends with NULL, and so does the engine's */
    if (!number_parse(number, strlen(number), 1, INT32_MAX, &parent, NULL) ||
        !process_tree_begin() || !follow((pid_t)parent, SIGTERM))
        return NO_ENGINE; /* who wanted it died before that */
    pid_t self = getpid(), engine = fork();
    if (engine == 0)
        return follow(self, SIGKILL) ? become_engine(argv + FIRST_ARGUMENT + 1) : NO_ENGINE;
    if (engine < 0) {
        fprintf(stderr, "%s: %s\n", argv[FIRST_ARGUMENT + 1], strerror(errno));
        return NO_ENGINE;
    }
    close_range(STDIN_FILENO, ~0U, 0); /* else nobody sees that the engine has closed its own */
    process_tree_end(process_tree_wait(engine));
}
