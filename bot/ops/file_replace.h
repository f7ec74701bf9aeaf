/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_replace.h - a small file written whole: whatever happens, power loss included, the path
 * holds what it held or all of what is new. Blocks for as long as the disk likes; any thread. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <sys/types.h>

enum { FILE_OF_OWNER = 0600, FILE_FOR_ALL = 0644 };

/* The parts, one after the other, into a file with the permissions `mode`, less the umask's. The
 * folder must be there. False and an Error with path and cause; then the old file is as it was. */
bool file_replace(const char *path, mode_t mode, const Text *parts, int count,
                  Error *err) MUST_CHECK;
