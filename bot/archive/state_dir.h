/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_dir.h - where the daemon keeps what must outlive it. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>

/* The path of `name` in the state directory: $STATE_DIRECTORY (systemd; the first, where it names
 * several), else $XDG_STATE_HOME/castled, else ~/.local/state/castled. A `name` that begins with a
 * slash is taken as it is. False and an Error where there is no such place, or the path is longer
 * than `size`. */
bool state_dir_path(char *out, size_t size, const char *name, Error *err) MUST_CHECK;

/* What is called `name` beside the file of that path. False where it is too long. */
bool state_dir_beside(char *out, size_t size, const char *path, const char *name) MUST_CHECK;

/* Makes the folders that `path` lies in, those that are missing, for us alone (0700). */
bool state_dir_make(const char *path, Error *err) MUST_CHECK;
