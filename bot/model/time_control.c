/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/time_control.h"

#include "engine/base/text_format.h"

#include <inttypes.h>

TimeControl time_control_of_days(int days)
{
    return (TimeControl){ .kind = days > 0 ? TIME_CORRESPONDENCE : TIME_UNLIMITED, .days = days };
}

int64_t time_control_estimate_s(const TimeControl *time)
{
    return time->kind == TIME_CLOCK ? time->base_s + ESTIMATED_MOVES * time->increment_s
                                    : INT64_MAX;
}

void time_control_text(const TimeControl *time, char out[TIME_CONTROL_TEXT_SIZE])
{
    switch (time->kind) {
    case TIME_CLOCK:
        text_format(out, TIME_CONTROL_TEXT_SIZE, "%g+%" PRId64, (double)time->base_s / 60,
                    time->increment_s);
        break;
    case TIME_CORRESPONDENCE:
        text_format(out, TIME_CONTROL_TEXT_SIZE, "%dd", time->days);
        break;
    case TIME_UNLIMITED:
        text_format(out, TIME_CONTROL_TEXT_SIZE, "unlimited");
        break;
    case TIME_UNKNOWN:
        text_format(out, TIME_CONTROL_TEXT_SIZE, "?");
        break;
    }
}
