/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/time_control.h"

#include "engine/base/check.h"

#include <inttypes.h>
#include <stdio.h>

int64_t time_control_estimate_s(const TimeControl *time)
{
    return time->kind == TIME_CLOCK ? time->base_s + ESTIMATED_MOVES * time->increment_s
                                    : INT64_MAX;
}

void time_control_text(const TimeControl *time, char out[TIME_CONTROL_TEXT_SIZE])
{
    int len = 0;
    switch (time->kind) {
    case TIME_CLOCK:
        len = snprintf(out, TIME_CONTROL_TEXT_SIZE, "%g+%" PRId64, (double)time->base_s / 60,
                       time->increment_s);
        break;
    case TIME_CORRESPONDENCE:
        len = snprintf(out, TIME_CONTROL_TEXT_SIZE, "%dd", time->days);
        break;
    case TIME_UNLIMITED:
        len = snprintf(out, TIME_CONTROL_TEXT_SIZE, "unlimited");
        break;
    case TIME_UNKNOWN:
        len = snprintf(out, TIME_CONTROL_TEXT_SIZE, "?");
        break;
    }
    CHECK(len > 0 && len < TIME_CONTROL_TEXT_SIZE);
}
