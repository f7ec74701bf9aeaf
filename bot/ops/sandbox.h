/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox.h - hides some files from this process and from all that it will start.
 *
 * By Landlock (Linux 5.13 and newer, where it is switched on): Documentation/userspace-api/
 * landlock.rst. That can only allow, so all is allowed but the hidden paths: around each, every
 * neighbour of it and of the folders that it lies in, as they are now. What comes to lie there
 * later can be written, but not read. Where the kernel can (6.12), signals to processes outside are
 * refused too. Privileges can no longer be gained (sudo), and nothing can be mounted. For a process
 * with one thread that becomes another program. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

/* Can the kernel do it? On false errno says why not. */
bool sandbox_is_available(void);

/* From here on `hidden`, files or folders, cannot be read, wherever they are moved to. Paths that
 * are not there are left out. Does nothing where it is not available. False and an Error: it is not
 * safe to go on. */
bool sandbox_enter(const char *const *hidden, size_t count, Error *err) MUST_CHECK;
