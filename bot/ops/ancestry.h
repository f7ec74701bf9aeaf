/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ancestry.h - whether a process descends from us. Reliable for what we start by a child that
 * adopts orphans (process_tree.h): nothing below it can get away to another parent. */
#pragma once
#include <sys/types.h>

/* The child of ours that is `pid` or an ancestor of it; 0: there is none. -1: `pid` has ended, so
 * nobody can tell. */
pid_t ancestry_child_above(pid_t pid);
