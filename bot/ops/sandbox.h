/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox.h - hides some files from this process and from all that it will start.
 *
 * By Landlock (Linux 5.13 and newer, where it is switched on): Documentation/userspace-api/
 * landlock.rst. That can only allow, so all is allowed but the hidden paths: around each, every
 * neighbour of it and of the folders that it lies in, as they are now. What comes to lie there
 * later can be written, but not read. Nothing that lies in these folders can be removed, renamed or
 * moved, so that a hidden file keeps its name. It can be written by whose it is. Where the kernel
 * can (6.12), signals to processes outside are refused too. Privileges can no longer be gained
 * (sudo), and nothing can be mounted. For a process with one thread that becomes another program.
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
