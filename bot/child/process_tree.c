/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/process_tree.h"

#include "engine/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    KILL_MS = 1000,
    REAP_WAIT_NS = 2000000, /* between two looks at who is left */
};

static sigset_t our_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGCHLD);
    return set;
}

bool process_tree_begin(void)
{
    sigset_t set = our_signals();
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 &&
           sigprocmask(SIG_BLOCK, &set, NULL) == 0;
}

void process_tree_leave(void)
{
    sigset_t set = our_signals();
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Takes the statuses of all descendants that have ended; `*status` is the child's, once it is among
 * them. False when none is left. */
static bool reap(pid_t child, int *status, bool *has_ended)
{
    for (;;) {
        int their_status;
        pid_t pid = waitpid(-1, &their_status, WNOHANG);
        if (pid == 0)
            return true;
        if (pid < 0 && errno != EINTR)
            return false;
        if (pid != child)
            continue;
        *status = their_status;
        *has_ended = true;
    }
}

/* Only those who are our own children: theirs become ours by it, and their turn comes. */
static void kill_children(void)
{
    FILE *list = fopen("/proc/thread-self/children", "re");
    int pid;
    while (list && fscanf(list, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    if (list)
        fclose(list);
}

/* Until one of our signals comes. False: SIGTERM, or the kernel has no memory to wait with. */
static bool wait_for_signal(int signals, int descriptor, void (*on_readable)(int descriptor))
{
    struct pollfd ready[] = { { .fd = signals, .events = POLLIN },
                              { .fd = descriptor, .events = POLLIN } };
    struct signalfd_siginfo info;
    for (;;) {
        if (poll(ready, sizeof ready / sizeof *ready, -1) < 0 && errno != EINTR)
            return false;
        if (ready[1].revents != 0)
            on_readable(descriptor);
        if (ready[0].revents != 0)
            return read(signals, &info, sizeof info) == sizeof info && info.ssi_signo != SIGTERM;
    }
}

int process_tree_wait(pid_t child, int descriptor, void (*on_readable)(int descriptor))
{
    const struct timespec pause = { .tv_nsec = REAP_WAIT_NS };
    sigset_t set = our_signals();
    int status = 0, signals = signalfd(-1, &set, SFD_CLOEXEC);
    bool has_ended = false;
    while (!has_ended && reap(child, &status, &has_ended) && !has_ended) {
        if (!wait_for_signal(signals, descriptor, on_readable))
            break;
    }
    if (!has_ended) {
        kill(child, SIGKILL); /* also where the kernel keeps no list of children */
        status = SIGKILL;
    }
    int64_t end_ms = clock_now_ms() + KILL_MS;
    while (reap(child, &status, &has_ended) && clock_now_ms() < end_ms) {
        kill_children();
        sigtimedwait(&set, NULL, &pause);
    }
    return status;
}

void process_tree_end(int status)
{
    if (WIFSIGNALED(status)) {
        const struct rlimit none = { 0, 0 };
        sigset_t all;
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        sigfillset(&all);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
