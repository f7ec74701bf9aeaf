/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_parts.h - is what the configuration names there, and does it work? Books, tables, networks,
 * the archive's place and our own engine, each opened and tried; nothing is written. For `castled
 * check`. */
#pragma once
#include "bot/cli/archive_place.h"
#include "bot/cli/check.h"

/* Engine, books and tables, a line for each; takes the engine's trial of half a second, and longer
 * where there are many tables. True if all is well. */
bool check_parts(FILE *out, const Config *config);

/* A line that says whose archive it is. Only one that we would write ourselves must be writable; to
 * be kept out of the service's is a warning. True if all is well. */
bool check_archive(FILE *out, const ArchivePlace *place);
