/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_names_file.h - the operator's list of engines' names. */
#pragma once
#include "bot/policy/engine_names.h"

enum { ENGINE_NAMES_FILE_MAX = 1 << 16 }; /* bytes */

/* The list in `path`; "": the one that castled comes with (config/engines.txt). False and an Error
 * that names file and line; *out is then empty. Blocks. */
bool engine_names_load(EngineNames *out, const char *path, Error *err) MUST_CHECK;
