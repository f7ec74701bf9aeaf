/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/play_time.h"

#include <limits.h>

enum { ESTIMATED_MOVES = 40 };

int play_time_estimate_s(const TimeControl *time)
{
    return time->kind == TIME_CLOCK ? (int)(time->base_s + ESTIMATED_MOVES * time->increment_s)
                                    : INT_MAX;
}

bool play_time_suffices(const TimeControl *time, int64_t ends_ms, int64_t now_ms)
{
    if (ends_ms == INT64_MAX)
        return true;
    return time->kind == TIME_CLOCK &&
           2 * (int64_t)play_time_estimate_s(time) * 1000 <= ends_ms - now_ms;
}
