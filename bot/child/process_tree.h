/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_tree.h - a process that ends together with all of its descendants.
 *
 * A daemonised child has left its parent's session and group, so its origin is lost. So the caller
 * becomes the parent of every descendant whose own parent ends (Linux: a child subreaper), and has
 * no other children. For a process with one thread that does nothing else. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/* Before the first child: descendants become ours, and SIGTERM and SIGCHLD are blocked, so that
 * none is lost before process_tree_wait(). False: the kernel refuses. */
bool process_tree_begin(void);

/* In the child: the signals are as they were before process_tree_begin(). */
void process_tree_leave(void);

/* Waits until `child` has ended or SIGTERM comes, and calls `on_readable` whenever `descriptor` is;
 * -1: there is none. Then kills and reaps every descendant; one that the kernel can't end within a
 * second is left. Returns the child's status, as waitpid() has it. */
int process_tree_wait(pid_t child, int descriptor, void (*on_readable)(int descriptor));

/* Ends this process as the child did, by the same exit status or the same signal. */
_Noreturn void process_tree_end(int status);
