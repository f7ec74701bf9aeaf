/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - time. Any thread. */
#pragma once
#include <stdint.h>

/* Milliseconds, microseconds since an arbitrary start; never runs backwards, not moved by NTP. */
int64_t clock_now_ms(void);
int64_t clock_now_us(void);

/* Milliseconds since 1970: for times that leave the process or outlive it. May jump. */
int64_t clock_unix_ms(void);
