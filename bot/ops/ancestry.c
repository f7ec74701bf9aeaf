/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/ancestry.h"

#include "engine/base/text_format.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    TRIES = 3, /* a parent that ends while we look leaves its child to another */
    GENERATIONS_MAX = 10000,
};

/* -1: it cannot be read. The name in parentheses may hold anything, and ends with the last one. */
static pid_t parent_of(pid_t pid)
{
    char path[32], text[512];
    int parent = -1;
    text_format(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *rest = strrchr(text, ')');
    return rest && sscanf(rest, ") %*c %d", &parent) == 1 ? parent : -1;
}

static bool is_there(pid_t pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

/* A mounted /proc may hide processes (hidepid), those of our own user too, where they have asked
 * for it. What we start is nicer than we are, and cannot take that back. */
static bool may_be_ours(pid_t pid)
{
    return getpriority(PRIO_PROCESS, (id_t)pid) > getpriority(PRIO_PROCESS, 0);
}

pid_t ancestry_child_above(pid_t pid)
{
    pid_t self = getpid(), at = pid;
    int tries = 0;
    for (int i = 0; i < GENERATIONS_MAX && at > 1 && at != self; i++) {
        pid_t parent = parent_of(at);
        if (parent == self)
            return at;
        if (parent >= 0) {
            at = parent;
            continue;
        }
        if (is_there(at))
            return may_be_ours(at) ? ANCESTRY_UNKNOWN : 0;
        if (at == pid || ++tries == TRIES)
            return ANCESTRY_ENDED;
        at = pid;
    }
    return 0;
}
