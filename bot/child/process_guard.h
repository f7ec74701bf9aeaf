/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_guard.h - keeps descendants from changing limits and priorities of other processes.
 *
 * The kernel lets each process of a user do that to all the others. Here seccomp refuses it with
 * EPERM for whatever does not descend from the caller. Programs name their own threads by number,
 * which a filter cannot know. So the kernel asks the caller about numbers other than 0
 * (Documentation/userspace-api/seccomp_filter.rst: user notification, Linux 5.5). Where it can't
 * ask, all such numbers are refused. For a process with one thread whose descendants stay below it
 * (process_tree.h). */
#pragma once
#include <stdbool.h>

/* Can the kernel do it? On false errno says why not. */
bool process_guard_is_available(void);

/* From here on it holds for this process, and for all that it starts. Nobody gains privileges by
 * running a program any more. Returns a descriptor, to be closed by no one but the children, or
 * -1: there is nothing to answer, or nothing is guarded where that is not available. */
int process_guard_begin(void);

/* Answers one question: `descriptor` is readable. The asker waits for it. */
void process_guard_answer(int descriptor);
