/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/play_time.h"

bool play_time_suffices(const TimeControl *time, int64_t ends_ms, int64_t now_ms)
{
    if (ends_ms == INT64_MAX)
        return true;
    return time->kind == TIME_CLOCK && 2 * time_control_estimate_s(time) * 1000 <= ends_ms - now_ms;
}
