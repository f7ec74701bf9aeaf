/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/time_control.h"

int64_t time_control_estimate_s(const TimeControl *time)
{
    return time->kind == TIME_CLOCK ? time->base_s + ESTIMATED_MOVES * time->increment_s
                                    : INT64_MAX;
}
