/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ancestry.h - whether a process descends from us. Reliable for what we start by a child that
 * adopts orphans (process_tree.h): nothing below it can get away to another parent. */
#pragma once
#include <sys/types.h>

enum {
    ANCESTRY_ENDED = -1,   /* it is not there any more, so nobody can tell */
    ANCESTRY_UNKNOWN = -2, /* /proc hides it, and it may be one of ours */
};

/* The child of ours that is `pid` or an ancestor of it; 0: there is none; else one of the above. */
pid_t ancestry_child_above(pid_t pid);
