/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utc_time.h - a moment as the operator writes it, in UTC: 2026-11-22T18:00Z, 2026-11-22T18:00:30Z,
 * or +90, minutes from now. Seconds since 1970. Pure. */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>

enum { UTC_TIME_SIZE = 32, UTC_TIME_DAYS_MOST = 366 };

/* False and an Error for anything else, and for what is past or more than a year away. */
bool utc_time_read(int64_t *unix_s, const char *word, int64_t now_unix_s, Error *err) MUST_CHECK;

/* To the minute, or to the second where it has some; "" for what no calendar holds. */
void utc_time_write(int64_t unix_s, char out[UTC_TIME_SIZE]);
