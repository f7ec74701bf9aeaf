/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utc_time.h - a moment as the operator writes it, in UTC: 2026-11-22T18:00Z, 2026-11-22T18:00:30Z,
 * or +90, minutes from now. Seconds since 1970. Pure. */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>

enum { MOMENT_SIZE = 32, MOMENT_DAYS_MOST = 366 };

/* False and an Error for anything else, and for what is past or more than a year away. */
bool moment_read(int64_t *unix_s, const char *word, int64_t now_unix_s, Error *err) MUST_CHECK;

/* To the minute, or to the second where it has some; "" for what no calendar holds. */
void moment_write(int64_t unix_s, char out[MOMENT_SIZE]);
