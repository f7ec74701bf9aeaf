/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/duration.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

bool duration_read(int64_t *seconds, const char *text, Error *err)
{
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = { { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 } };
    enum { UNITS = sizeof units / sizeof *units, MOST_S = 366 * 86400 };
    int64_t sum = 0, number;
    size_t unit = 0;
    const char *at = text;
    do {
        size_t digits = strspn(at, "0123456789");
        while (unit < UNITS && units[unit].letter != at[digits])
            unit++;
        if (unit == UNITS || !number_parse(at, digits, 0, MOST_S, &number, NULL))
            break;
        sum += number * units[unit++].seconds;
        at += digits + 1;
    } while (*at);
    if (*at || sum == 0 || sum > MOST_S) {
        error_set(err, ERR_INVALID, "%s is not a time of at most a year, such as 5h45m, 30m or 90s",
                  text);
        return false;
    }
    *seconds = sum;
    return true;
}
