/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <arm_neon.h>
#include <string.h>

#define KERNELS_NAME "neon"
#define KERNELS_SET kernels_neon

enum { UNITS = 8 };

typedef int16x8_t Vector;
typedef int8x16_t Bytes;
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

static inline Vector clamp(Vector hidden)
{
    return vminq_s16(vmaxq_s16(hidden, vdupq_n_s16(0)), vdupq_n_s16(NETWORK_QA));
}

static inline Vector product(Vector a, Vector b)
{
    /* (64 * a * b + 2^14) / 2^15 */
    return vqrdmulhq_s16(vshlq_n_s16(a, 6), b);
}

static inline void store_low_bytes(uint8_t *at, Vector v)
{
    vst1_u8(at, vmovn_u16(vreinterpretq_u16_s16(v)));
}

static inline Bytes load_bytes(const void *at)
{
    return vld1q_s8(at);
}

static inline Sums load_sums(const int32_t *at)
{
    return vld1q_s32(at);
}

static inline void store_sums(int32_t *at, Sums sums)
{
    vst1q_s32(at, sums);
}

static inline Sums add_sums(Sums a, Sums b)
{
    return vaddq_s32(a, b);
}

static inline Bytes repeat_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return vreinterpretq_s8_s32(vdupq_n_s32(four));
}

static inline Sums add_fours(Sums sums, Bytes inputs, Bytes weights)
{
    int16x8_t low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
    int16x8_t high = vmull_high_s8(inputs, weights);
    /* Two products together stay within 16 bits: 2 * 127 * 127. */
    return vpadalq_s16(sums, vpaddq_s16(low, high));
}

static inline void store_quarter(int32_t *at, Sums sums)
{
    vst1q_s32(at, sums);
}

static inline Vector repeat_two(const int16_t *at)
{
    int32_t two;
    memcpy(&two, at, sizeof two);
    return vreinterpretq_s16_s32(vdupq_n_s32(two));
}

static inline Sums add_twos(Sums sums, Vector inputs, Vector weights)
{
    int32x4_t low = vmull_s16(vget_low_s16(inputs), vget_low_s16(weights));
    return vaddq_s32(sums, vpaddq_s32(low, vmull_high_s16(inputs, weights)));
}

static inline Sums clamp_l2(Sums l2)
{
    Sums above = vmaxq_s32(l2, vdupq_n_s32(0));
    return vshrq_n_s32(vminq_s32(above, vdupq_n_s32(NETWORK_QC * NETWORK_QD)), 10);
}

static inline Sums multiply_wide(Sums sums, const int16_t *at)
{
    return vmulq_s32(sums, vmovl_s16(vld1_s16(at)));
}

#include "engine/eval/kernels_simd.h"
