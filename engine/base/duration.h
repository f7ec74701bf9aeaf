/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - long times: in milliseconds, and in words. */
#pragma once
#include <stdint.h>

#define DURATION_HOUR_MS ((int64_t)3600 * 1000)
#define DURATION_DAY_MS (24 * DURATION_HOUR_MS)

enum { DURATION_SIZE = 48 };

/* "2 d 3 h", "3 h 7 min", "14 min", "7 s": returns `out`. */
const char *duration_write(char out[DURATION_SIZE], int64_t seconds);
