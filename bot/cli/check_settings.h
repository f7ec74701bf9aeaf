/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_settings.h - settings that are right each by itself and cannot work together, and secrets
 * in a file that others read. For `castled check`. */
#pragma once
#include "bot/cli/check.h"

/* A warning for each; nothing where all is well. `config_file` was read into `config`. */
void check_settings(FILE *out, const Config *config, const char *config_file);
