/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minmax.h - the smaller and the larger of two numbers, and one held within a range (lo <= hi). */
#pragma once
#include <stdint.h>

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

static inline int int_clamp(int value, int lo, int hi)
{
    return int_min(int_max(value, lo), hi);
}

static inline int64_t int64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t int64_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t int64_clamp(int64_t value, int64_t lo, int64_t hi)
{
    return int64_min(int64_max(value, lo), hi);
}
