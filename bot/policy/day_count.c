/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/day_count.h"

#include "engine/base/duration.h"
#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 100000 };

void day_count_init(DayCount *count)
{
    memset(count, 0, sizeof *count);
}

static int *slot(DayCount *count, int64_t hour)
{
    size_t at = (size_t)(hour % DAY_COUNT_HOURS);
    if (count->hour[at] != hour) {
        count->hour[at] = hour;
        count->spent[at] = 0;
    }
    return &count->spent[at];
}

void day_count_add(DayCount *count, int amount, int64_t now_ms)
{
    *slot(count, now_ms / DURATION_HOUR_MS) += amount;
}

int day_count_today(const DayCount *count, int64_t now_ms)
{
    int64_t now = now_ms / DURATION_HOUR_MS;
    int sum = 0;
    for (int i = 0; i < DAY_COUNT_HOURS; i++)
        if (count->hour[i] <= now && count->hour[i] > now - DAY_COUNT_HOURS)
            sum += count->spent[i];
    return sum;
}

int day_count_this_hour(const DayCount *count, int64_t now_ms)
{
    int64_t now = now_ms / DURATION_HOUR_MS;
    size_t at = (size_t)(now % DAY_COUNT_HOURS);
    return count->hour[at] == now ? count->spent[at] : 0;
}

bool day_count_allows(const DayCount *count, int amount, int day_budget, int64_t now_ms)
{
    int hour_budget = (day_budget + 23) / 24;
    int this_hour = day_count_this_hour(count, now_ms);
    /* What is dearer than an hour's part may be bought once an hour. */
    bool fits_hour = this_hour == 0 || this_hour + amount <= hour_budget;
    return fits_hour && day_count_today(count, now_ms) + amount <= day_budget;
}

void day_count_write(const DayCount *count, int64_t now_ms, char out[DAY_COUNT_TEXT])
{
    size_t len = 0;
    int64_t now = now_ms / DURATION_HOUR_MS;
    out[0] = '\0';
    for (int64_t hour = now - DAY_COUNT_HOURS + 1; hour <= now; hour++) {
        size_t at = (size_t)(hour % DAY_COUNT_HOURS);
        if (count->hour[at] != hour || count->spent[at] == 0)
            continue;
        int n = snprintf(out + len, DAY_COUNT_TEXT - len, "%s%lld:%d", len > 0 ? "," : "",
                         (long long)hour, count->spent[at]);
        if (n < 0 || (size_t)n >= DAY_COUNT_TEXT - len) {
            out[len] = '\0';
            return;
        }
        len += (size_t)n;
    }
}

void day_count_merge(DayCount *count, const DayCount *more)
{
    for (int i = 0; i < DAY_COUNT_HOURS; i++)
        if (more->spent[i] > 0 && more->hour[i] >= count->hour[i])
            *slot(count, more->hour[i]) += more->spent[i];
}

void day_count_read(DayCount *count, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, ","), colon = strcspn(text, ":");
        int64_t hour, spent;
        if (colon < len &&
            number_parse(text, colon, 0, INT64_MAX / DURATION_HOUR_MS, &hour, NULL) &&
            number_parse(text + colon + 1, len - colon - 1, 0, MOST, &spent, NULL))
            *slot(count, hour) = (int)spent;
        text += len + (text[len] == ',');
    }
}
