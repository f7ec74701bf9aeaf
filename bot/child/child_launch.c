/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/child_launch.h"

#include "bot/child/process_guard.h"
#include "bot/child/process_tree.h"
#include "bot/child/sandbox.h"
#include "engine/base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PARENT_AT = 2, /* see the header */
    USER_AT,
    HIDDEN_COUNT_AT,
    HIDDEN_AT,
    NOBODY = 65534, /* the kernel's number for users that it does not know */
    USUAL_DESCRIPTORS = 1024,
    BUSY_TRIES = 50,
    BUSY_WAIT_NS = 100000000,
    NOT_RUN = 127,      /* a shell's status for a program that can't be run */
    MORE_NICENESS = 5,  /* than others' work has, and than ours */
    LAST_NICENESS = 19, /* there is no more */
};

typedef struct {
    int64_t parent;
    bool as_nobody, is_confined;
    bool is_held; /* the program is CHILD_LAUNCH_HELD_FD */
    size_t hidden_count;
    HiddenPath hidden[SANDBOX_HIDDEN_MAX];
    const char *program;
    char *const *argv;
} Launch;

int child_niceness(void)
{
    int ours = getpriority(PRIO_PROCESS, 0);
    int most = ours > 0 ? ours : 0;
    return most + MORE_NICENESS < LAST_NICENESS ? most + MORE_NICENESS : LAST_NICENESS;
}

bool child_launch_is_asked(int argc, char *const *argv)
{
    return argc > HIDDEN_AT + 1 && strcmp(argv[1], CHILD_LAUNCH) == 0;
}

static bool read_words(Launch *out, int argc, char *const *argv)
{
    const char *parent = argv[PARENT_AT], *count = argv[HIDDEN_COUNT_AT];
    int64_t hidden = 0;
    out->as_nobody = strcmp(argv[USER_AT], CHILD_LAUNCH_AS_NOBODY) == 0;
    out->is_confined = strcmp(count, CHILD_LAUNCH_UNCONFINED) != 0;
    if (!number_parse(parent, strlen(parent), 1, INT32_MAX, &out->parent, NULL) ||
        (out->is_confined &&
         !number_parse(count, strlen(count), 0, SANDBOX_HIDDEN_MAX, &hidden, NULL)) ||
        HIDDEN_AT + 2 * hidden + 1 >= argc)
        return false;
    out->hidden_count = (size_t)hidden;
    argv += HIDDEN_AT;
    for (int64_t i = 0; i < hidden; i++, argv += 2)
        out->hidden[i] = (HiddenPath){ .path = argv[0], .real = argv[1] };
    out->program = argv[0];
    out->is_held = strcmp(out->program, CHILD_LAUNCH_HELD) == 0;
    out->argv = argv + 1; /* it ends with NULL, as ours does */
    return true;
}

/* Requests a signal at the end of `parent`; false: it has ended already. */
static bool follow(pid_t parent, int with_signal)
{
    prctl(PR_SET_PDEATHSIG, with_signal);
    return getppid() == parent;
}

/* Where memory runs out the kernel ends the program, not us. Without /proc all are alike. */
static void die_first(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file) {
        fputs("500", file);
        fclose(file);
    }
}

/* Who may not change users has no more rights than a user: root of a container or of a namespace,
 * where there is no nobody. */
static bool become_nobody(Error *err)
{
    if (geteuid() != 0 || (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
                           setresuid(NOBODY, NOBODY, NOBODY) == 0))
        return true;
    if (geteuid() == 0 && (errno == EPERM || errno == EINVAL))
        return true;
    error_set(err, ERR_IO, "cannot become nobody: %s", strerror(errno));
    return false;
}

/* What programs expect, whatever we need. They may raise it themselves. */
static void usual_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= USUAL_DESCRIPTORS)
        return;
    limit.rlim_cur = USUAL_DESCRIPTORS;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* Returns only if it can't. A file that is still open for writing is being copied: it is awaited.
 */
static void run_program(const Launch *launch)
{
    for (int i = 0; i < BUSY_TRIES; i++) {
        if (launch->is_held)
            (void)syscall(SYS_execveat, CHILD_LAUNCH_HELD_FD, "", launch->argv, environ,
                          AT_EMPTY_PATH);
        else
            execv(launch->program, launch->argv);
        if (errno != ETXTBSY)
            return;
        nanosleep(&(struct timespec){ .tv_nsec = BUSY_WAIT_NS }, NULL);
    }
}

/* `watcher` is who ends it, and with whom it ends; another user's child forgets whom it follows. */
static int become_program(const Launch *launch, pid_t watcher)
{
    Error err = { 0 };
    setsid(); /* so that what it does to its group does not end who watches it */
    setpriority(PRIO_PROCESS, 0, child_niceness());
    die_first();
    const int last = launch->is_held ? CHILD_LAUNCH_HELD_FD : STDERR_FILENO;
    (void)syscall(SYS_close_range, last + 1, ~0U, 0U); /* musl has no wrapper */
    usual_descriptors();
    process_tree_leave();
    bool ok = !launch->as_nobody || become_nobody(&err);
    if (!follow(watcher, SIGKILL))
        return NOT_RUN;
    if (ok && (!launch->is_confined ||
               sandbox_enter(launch->hidden, launch->hidden_count,
                             launch->is_held ? CHILD_LAUNCH_HELD_FD : -1, &err))) {
        run_program(launch);
        error_set(&err, ERR_IO, "%s: %s", launch->program, strerror(errno));
    }
    fprintf(stderr, "%s\n", err.text);
    return NOT_RUN;
}

int child_launch(int argc, char *const *argv)
{
    Launch launch;
    if (!read_words(&launch, argc, argv) || !process_tree_begin() ||
        !follow((pid_t)launch.parent, SIGTERM))
        return NOT_RUN; /* who wanted it died before that */
    int guard = launch.is_confined ? process_guard_begin() : -1;
    pid_t self = getpid(), program = fork();
    if (program == 0)
        return become_program(&launch, self);
    if (program < 0) {
        fprintf(stderr, "%s: %s\n", launch.program, strerror(errno));
        return NOT_RUN;
    }
    /* Else the program's closing of its own goes unseen. */
    if (guard >= 0)
        guard = dup2(guard, STDIN_FILENO);
    (void)syscall(SYS_close_range, guard < 0 ? STDIN_FILENO : STDIN_FILENO + 1, ~0U, 0U);
    process_tree_end(process_tree_wait(program, guard, process_guard_answer));
}
