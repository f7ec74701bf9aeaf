/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <immintrin.h>
#include <string.h>

#define KERNELS_NAME "avx2"
#define KERNELS_SET kernels_avx2

enum { UNITS = 16 };

typedef __m256i Vector;
typedef __m256i Bytes;
typedef __m256i Sums;

static inline Vector load(const int16_t *at)
{
    return _mm256_load_si256((const void *)at);
}

static inline void store(int16_t *at, Vector v)
{
    _mm256_store_si256((void *)at, v);
}

static inline Vector add(Vector a, Vector b)
{
    return _mm256_add_epi16(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return _mm256_sub_epi16(a, b);
}

static inline Vector clamp(Vector hidden)
{
    Vector above = _mm256_max_epi16(hidden, _mm256_setzero_si256());
    return _mm256_min_epi16(above, _mm256_set1_epi16(NETWORK_QA));
}

static inline Vector product(Vector a, Vector b)
{
    /* (64 * a * b + 2^14) / 2^15 */
    return _mm256_mulhrs_epi16(_mm256_slli_epi16(a, 6), b);
}

static inline void store_low_bytes(uint8_t *at, Vector v)
{
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), _MM_SHUFFLE(3, 1, 2, 0));
    _mm_store_si128((void *)at, _mm256_castsi256_si128(packed));
}

static inline Bytes load_bytes(const void *at)
{
    return _mm256_load_si256(at);
}

static inline Sums load_sums(const int32_t *at)
{
    return _mm256_load_si256((const void *)at);
}

static inline void store_sums(int32_t *at, Sums sums)
{
    _mm256_store_si256((void *)at, sums);
}

static inline Sums add_sums(Sums a, Sums b)
{
    return _mm256_add_epi32(a, b);
}

static inline Bytes repeat_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm256_set1_epi32(four);
}

static inline Sums add_fours(Sums sums, Bytes inputs, Bytes weights)
{
    /* Two products together stay within 16 bits: 2 * 127 * 127. */
    __m256i twos = _mm256_maddubs_epi16(inputs, weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
}

static inline void store_quarter(int32_t *at, Sums sums)
{
    __m128i high = _mm256_extracti128_si256(sums, 1);
    _mm_storeu_si128((void *)at, _mm_add_epi32(_mm256_castsi256_si128(sums), high));
}

static inline Vector repeat_two(const int16_t *at)
{
    int32_t two;
    memcpy(&two, at, sizeof two);
    return _mm256_set1_epi32(two);
}

static inline Sums add_twos(Sums sums, Vector inputs, Vector weights)
{
    return _mm256_add_epi32(sums, _mm256_madd_epi16(inputs, weights));
}

static inline Sums clamp_l2(Sums l2)
{
    Sums above = _mm256_max_epi32(l2, _mm256_setzero_si256());
    return _mm256_srli_epi32(_mm256_min_epi32(above, _mm256_set1_epi32(NETWORK_QC * NETWORK_QD)),
                             10);
}

static inline Sums multiply_wide(Sums sums, const int16_t *at)
{
    return _mm256_mullo_epi32(sums, _mm256_cvtepi16_epi32(_mm_load_si128((const void *)at)));
}

#include "engine/eval/kernels_simd.h"
