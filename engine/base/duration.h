/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - long times: in milliseconds, and in words; the time left until a moment. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/minmax.h"

#include <stdint.h>

#define DURATION_HOUR_MS ((int64_t)3600 * 1000)
#define DURATION_DAY_MS (24 * DURATION_HOUR_MS)

/* How long it still is until then; 0: that is past, however long ago (INT64_MIN). `now_ms` is a
 * clock's and not negative. Not `until > now ? until - now : 0`: clang 14 takes that for the larger
 * of the difference and 0, and the difference to the least number overflows. */
static inline int64_t duration_until(int64_t until_ms, int64_t now_ms)
{
    return int64_max(until_ms, now_ms) - now_ms;
}

enum { DURATION_SIZE = 48 };

/* "2 d 3 h", "3 h 7 min", "14 min", "7 s": returns `out`. */
const char *duration_write(char out[DURATION_SIZE], int64_t seconds);

/* Reads "5h45m", "90s", "1d": days, hours, minutes and seconds, the longer unit first and each with
 * its letter. False and an Error for anything else, for nothing at all, and for more than a year;
 * `seconds` then stays as it was. */
bool duration_read(int64_t *seconds, const char *text, Error *err) MUST_CHECK;
