/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log_level.h"

const char *const log_level_names[LEVEL_COUNT] = { "error", "warning", "info", "debug" };
