/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/duration.h"

#include <inttypes.h>
#include <stdio.h>

const char *duration_write(char out[DURATION_SIZE], int64_t seconds)
{
    int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
    int len =
        days > 0 ? snprintf(out, DURATION_SIZE, "%" PRId64 " d %" PRId64 " h", days, hours % 24)
        : hours > 0
            ? snprintf(out, DURATION_SIZE, "%" PRId64 " h %" PRId64 " min", hours, minutes % 60)
        : minutes > 0 ? snprintf(out, DURATION_SIZE, "%" PRId64 " min", minutes)
                      : snprintf(out, DURATION_SIZE, "%" PRId64 " s", seconds);
    return len > 0 ? out : "";
}
