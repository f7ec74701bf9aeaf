/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reload.h - a configuration that has been changed, read again while we play. */
#pragma once
#include "bot/config/settings.h"
#include "bot/ops/log.h"

/* Reads `path` into *config, whose lists and rules are replaced: pointers to them become invalid.
 * What can only change at a start keeps its value, with a warning. Each difference is logged. A
 * file with anything wrong is logged line by line, and *config stays as it was: false. `lines` gets
 * the same for who has asked, a line each, as far as there is room; NULL: nobody has. */
bool reload_config(Config *config, const char *path, Log *log, Buf *lines) MUST_CHECK;
