/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/log_level.h"

const char *log_level_name(LogLevel level)
{
    static const char *const names[LEVEL_COUNT] = { "error", "warning", "info", "debug" };
    return names[level];
}
