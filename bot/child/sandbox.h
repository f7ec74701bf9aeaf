/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox.h - hides some files from this process and from all that it will start.
 *
 * By Landlock (Linux 5.13 and newer, where it is switched on): Documentation/userspace-api/
 * landlock.rst. Landlock can only grant, so to hide a path we grant its present siblings, level by
 * level up to the root. Files that are added there later can be written, but not read. Nothing in
 * these folders can be removed, renamed or moved, so a hidden file keeps its name; its owner can
 * write to it. From Linux 6.12 on, signals to processes outside are refused too. Privileges can no
 * longer be gained (sudo), and nothing can be mounted. For a process with one thread, before it
 * executes another program.
 */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

/* A file or a folder to hide. */
typedef struct {
    const char *path; /* where it is; of a link, what it leads to is hidden, too */
    const char *real; /* where it was when somebody noted it, without links; "": nowhere */
} HiddenPath;

enum { SANDBOX_HIDDEN_MAX = 12 };

/* Can the kernel do it? On false errno says why not. */
bool sandbox_is_available(void);

/* From here on `hidden`, at most SANDBOX_HIDDEN_MAX, cannot be read, by no other name (hard links)
 * in the folders around them either. What was noted, and is not there any more, may be anywhere:
 * that is an error. What was never there is left out. The file open as `also` can be read, though
 * it have no name any more; -1: none. Does nothing where it is not available. False and an Error:
 * it is not safe to go on. */
bool sandbox_enter(const HiddenPath *hidden, size_t count, int also, Error *err) MUST_CHECK;
