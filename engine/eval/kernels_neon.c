/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <arm_neon.h>

#define KERNELS_NAME "neon"
#define KERNELS_SET kernels_neon

enum { UNITS = 8 };

typedef int16x8_t Vector;
typedef int32x4_t Sums;

static inline Vector load(const int16_t *at)
{
    return vld1q_s16(at);
}

static inline void store(int16_t *at, Vector v)
{
    vst1q_s16(at, v);
}

static inline Vector add(Vector a, Vector b)
{
    return vaddq_s16(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return vsubq_s16(a, b);
}

static inline Sums sums_zero(void)
{
    return vdupq_n_s32(0);
}

static inline Sums sums_add(Sums a, Sums b)
{
    return vaddq_s32(a, b);
}

static inline int32_t sums_total(Sums sums)
{
    return vaddvq_s32(sums);
}

static inline Sums add_squares(Sums sums, Vector hidden, Vector weights)
{
    Vector h = vminq_s16(vmaxq_s16(hidden, vdupq_n_s16(0)), vdupq_n_s16(NETWORK_QA));
    Vector products = vmulq_s16(h, weights);
    sums = vmlal_s16(sums, vget_low_s16(products), vget_low_s16(h));
    return vmlal_s16(sums, vget_high_s16(products), vget_high_s16(h));
}

#include "engine/eval/kernels_simd.h"
