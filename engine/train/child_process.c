/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/child_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_END, WRITE_END, SLICE_MS = 1000 };

struct ChildProcess {
    pid_t pid;
    bool is_stopped; /* by a signal, and not yet continued */
    int silence_s;
    int in, out; /* we write to `in` */
    size_t from, to;
    char buffer[CHILD_LINE_MAX];
};

static bool pipe_new(int ends[2], Error *err)
{
    if (pipe2(ends, O_CLOEXEC) == 0)
        return true;
    error_set(err, ERR_IO, "pipe to a child process: %s", strerror(errno));
    return false;
}

static void pipe_close(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0)
            close(ends[i]);
    }
}

/* The child begins with every signal as the system has it. */
static int attributes_set(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed)
        failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed)
        failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failed)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failed;
}

static int spawn(pid_t *pid, const char *const *args, int in, int out, ChildOutput output)
{
    char *argv[CHILD_ARGS_MAX + 1] = { NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    extern char **environ;
    int read_fd = output == CHILD_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
    int dropped_fd = output == CHILD_STDOUT ? STDERR_FILENO : STDOUT_FILENO;
    for (int i = 0; i < CHILD_ARGS_MAX && args[i]; i++)
        argv[i] = (char *)(uintptr_t)args[i]; /* posix_spawn takes char *, and changes none */
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    failed = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, out, read_fd);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, dropped_fd, "/dev/null", O_WRONLY, 0);
    if (!failed)
        failed = attributes_set(&attributes);
    if (!failed)
        failed = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

bool child_process_new(ChildProcess **out, const char *const *args, ChildOutput output,
                       int silence_s, Error *err)
{
    int to_child[2] = { -1, -1 }, from_child[2] = { -1, -1 };
    ChildProcess *child = calloc(1, sizeof *child);
    if (!child) {
        error_set(err, ERR_MEMORY, "no memory for a child process");
        return false;
    }
    if (!pipe_new(to_child, err) || !pipe_new(from_child, err))
        goto failed;
    int failure = spawn(&child->pid, args, to_child[READ_END], from_child[WRITE_END], output);
    if (failure) {
        error_set(err, ERR_IO, "%s: cannot be started: %s", args[0], strerror(failure));
        goto failed;
    }
    close(to_child[READ_END]);
    close(from_child[WRITE_END]);
    child->in = to_child[WRITE_END];
    child->out = from_child[READ_END];
    child->silence_s = silence_s;
    /* Writes must not block: the child may be stuck with a full pipe of its own. */
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    *out = child;
    return true;
failed:
    pipe_close(to_child);
    pipe_close(from_child);
    free(child);
    return false;
}

void child_process_free(ChildProcess *child)
{
    if (!child)
        return;
    close(child->in);
    close(child->out);
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    free(child);
}

/* Notes whether the child was stopped or went on. */
static void note_stops(ChildProcess *child)
{
    siginfo_t info;
    for (;;) {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 ||
            info.si_pid == 0)
            return;
        child->is_stopped = info.si_code == CLD_STOPPED;
    }
}

/* Waits in slices: however long we were stopped ourselves, it costs one. */
static bool wait_for(ChildProcess *child, int fd, short events, Error *err)
{
    struct pollfd poll_fd = { .fd = fd, .events = events };
    for (int slices = 0; slices < child->silence_s;) {
        int ready = poll(&poll_fd, 1, SLICE_MS);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            break;
        note_stops(child);
        slices += ready == 0 && !child->is_stopped;
    }
    error_set(err, ERR_IO, "child process %d: silent for %d s", (int)child->pid, child->silence_s);
    return false;
}

bool child_process_write(ChildProcess *child, Text bytes, Error *err)
{
    while (bytes.len > 0) {
        ssize_t wrote = write(child->in, bytes.at, bytes.len);
        if (wrote > 0) {
            bytes.at += wrote;
            bytes.len -= (size_t)wrote;
        } else if (wrote < 0 && errno == EAGAIN) {
            if (!wait_for(child, child->in, POLLOUT, err))
                return false;
        } else if (wrote < 0 && errno != EINTR) {
            error_set(err, ERR_IO, "child process %d: %s", (int)child->pid, strerror(errno));
            return false;
        }
    }
    return true;
}

/* Room for more bytes, with what is left of the last ones at the front. */
static bool make_room(ChildProcess *child, Error *err)
{
    memmove(child->buffer, child->buffer + child->from, child->to - child->from);
    child->to -= child->from;
    child->from = 0;
    if (child->to < sizeof child->buffer)
        return true;
    error_set(err, ERR_RANGE, "child process %d: a line longer than %d bytes", (int)child->pid,
              CHILD_LINE_MAX);
    return false;
}

ChildStep child_process_read(ChildProcess *child, Text *line, Error *err)
{
    for (size_t seen = child->from;;) {
        const char *end = memchr(child->buffer + seen, '\n', child->to - seen);
        if (end) {
            line->at = child->buffer + child->from;
            line->len = (size_t)(end - line->at);
            child->from += line->len + 1;
            return CHILD_LINE;
        }
        if (!make_room(child, err) || !wait_for(child, child->out, POLLIN, err))
            return CHILD_FAILED;
        seen = child->to;
        ssize_t got = read(child->out, child->buffer + child->to, sizeof child->buffer - child->to);
        if (got == 0)
            return CHILD_END;
        if (got > 0)
            child->to += (size_t)got;
        else if (errno != EINTR)
            return CHILD_END;
    }
}
