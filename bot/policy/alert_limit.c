/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/alert_limit.h"

bool alert_limit_take(AlertLimit *limit, int64_t now_ms, int64_t period_ms, int *count)
{
    limit->held++;
    if (limit->was_sent && now_ms - limit->sent_ms < period_ms)
        return false;
    *count = alert_limit_flush(limit, now_ms);
    return true;
}

int64_t alert_limit_due_ms(const AlertLimit *limit, int64_t period_ms)
{
    return limit->held > 0 ? limit->sent_ms + period_ms : INT64_MAX;
}

int alert_limit_flush(AlertLimit *limit, int64_t now_ms)
{
    int count = limit->held;
    *limit = (AlertLimit){ .was_sent = true, .sent_ms = now_ms };
    return count;
}
