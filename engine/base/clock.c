/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/clock.h"

#include <time.h>

int64_t clock_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_ms(void)
{
    return clock_now_us() / 1000;
}

int64_t clock_unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
