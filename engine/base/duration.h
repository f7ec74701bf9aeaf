/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - long times in milliseconds. */
#pragma once
#include <stdint.h>

#define DURATION_HOUR_MS ((int64_t)3600 * 1000)
#define DURATION_DAY_MS (24 * DURATION_HOUR_MS)
