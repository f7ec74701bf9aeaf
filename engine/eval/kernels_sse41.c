/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <smmintrin.h>
#include <string.h>

#define KERNELS_NAME "sse41"
#define KERNELS_SET kernels_sse41

enum { UNITS = 8 };

typedef __m128i Vector;
typedef __m128i Bytes;
typedef __m128i Sums;

static inline Vector load(const int16_t *at)
{
    return _mm_load_si128((const void *)at);
}

static inline void store(int16_t *at, Vector v)
{
    _mm_store_si128((void *)at, v);
}

static inline Vector add(Vector a, Vector b)
{
    return _mm_add_epi16(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return _mm_sub_epi16(a, b);
}

static inline Vector clamp(Vector hidden)
{
    Vector above = _mm_max_epi16(hidden, _mm_setzero_si128());
    return _mm_min_epi16(above, _mm_set1_epi16(NETWORK_QA));
}

static inline Vector product(Vector a, Vector b)
{
    /* (64 * a * b + 2^14) / 2^15 */
    return _mm_mulhrs_epi16(_mm_slli_epi16(a, 6), b);
}

static inline void store_low_bytes(uint8_t *at, Vector v)
{
    _mm_storel_epi64((void *)at, _mm_packus_epi16(v, v));
}

static inline Bytes load_bytes(const void *at)
{
    return _mm_load_si128(at);
}

static inline Sums load_sums(const int32_t *at)
{
    return _mm_load_si128((const void *)at);
}

static inline void store_sums(int32_t *at, Sums sums)
{
    _mm_store_si128((void *)at, sums);
}

static inline Sums add_sums(Sums a, Sums b)
{
    return _mm_add_epi32(a, b);
}

static inline Bytes repeat_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm_set1_epi32(four);
}

static inline Sums add_fours(Sums sums, Bytes inputs, Bytes weights)
{
    /* Two products together stay within 16 bits: 2 * 127 * 127. */
    __m128i twos = _mm_maddubs_epi16(inputs, weights);
    return _mm_add_epi32(sums, _mm_madd_epi16(twos, _mm_set1_epi16(1)));
}

static inline void store_quarter(int32_t *at, Sums sums)
{
    _mm_storeu_si128((void *)at, sums);
}

static inline Vector repeat_two(const int16_t *at)
{
    int32_t two;
    memcpy(&two, at, sizeof two);
    return _mm_set1_epi32(two);
}

static inline Sums add_twos(Sums sums, Vector inputs, Vector weights)
{
    return _mm_add_epi32(sums, _mm_madd_epi16(inputs, weights));
}

static inline Sums clamp_l2(Sums l2)
{
    Sums above = _mm_max_epi32(l2, _mm_setzero_si128());
    return _mm_srli_epi32(_mm_min_epi32(above, _mm_set1_epi32(NETWORK_QC * NETWORK_QD)), 10);
}

static inline Sums multiply_wide(Sums sums, const int16_t *at)
{
    return _mm_mullo_epi32(sums, _mm_cvtepi16_epi32(_mm_loadl_epi64((const void *)at)));
}

#include "engine/eval/kernels_simd.h"
