/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <immintrin.h>
#include <string.h>

#define KERNELS_NAME "avx512"
#define KERNELS_SET kernels_avx512

enum { UNITS = 32 };

typedef __m512i Vector;
typedef __m512i Bytes;
typedef __m512i Sums;

static inline Vector load(const int16_t *at)
{
    return _mm512_load_si512((const void *)at);
}

static inline void store(int16_t *at, Vector v)
{
    _mm512_store_si512((void *)at, v);
}

static inline Vector add(Vector a, Vector b)
{
    return _mm512_add_epi16(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return _mm512_sub_epi16(a, b);
}

static inline Vector clamp(Vector hidden)
{
    Vector above = _mm512_max_epi16(hidden, _mm512_setzero_si512());
    return _mm512_min_epi16(above, _mm512_set1_epi16(NETWORK_QA));
}

static inline Vector product(Vector a, Vector b)
{
    /* (64 * a * b + 2^14) / 2^15 */
    return _mm512_mulhrs_epi16(_mm512_slli_epi16(a, 6), b);
}

static inline void store_low_bytes(uint8_t *at, Vector v)
{
    _mm256_store_si256((void *)at, _mm512_cvtepi16_epi8(v));
}

static inline Bytes load_bytes(const void *at)
{
    return _mm512_load_si512(at);
}

static inline Sums load_sums(const int32_t *at)
{
    return _mm512_load_si512((const void *)at);
}

static inline void store_sums(int32_t *at, Sums sums)
{
    _mm512_store_si512(at, sums);
}

static inline Sums add_sums(Sums a, Sums b)
{
    return _mm512_add_epi32(a, b);
}

static inline Bytes repeat_four(const uint8_t *at)
{
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm512_set1_epi32(four);
}

static inline Sums add_fours(Sums sums, Bytes inputs, Bytes weights)
{
    return _mm512_dpbusd_epi32(sums, inputs, weights);
}

static inline void store_quarter(int32_t *at, Sums sums)
{
    __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    __m128i high = _mm256_extracti128_si256(half, 1);
    _mm_storeu_si128((void *)at, _mm_add_epi32(_mm256_castsi256_si128(half), high));
}

static inline Vector repeat_two(const int16_t *at)
{
    int32_t two;
    memcpy(&two, at, sizeof two);
    return _mm512_set1_epi32(two);
}

static inline Sums add_twos(Sums sums, Vector inputs, Vector weights)
{
    return _mm512_add_epi32(sums, _mm512_madd_epi16(inputs, weights));
}

static inline Sums clamp_l2(Sums l2)
{
    Sums above = _mm512_max_epi32(l2, _mm512_setzero_si512());
    return _mm512_srli_epi32(_mm512_min_epi32(above, _mm512_set1_epi32(NETWORK_QC * NETWORK_QD)),
                             10);
}

static inline Sums multiply_wide(Sums sums, const int16_t *at)
{
    return _mm512_mullo_epi32(sums, _mm512_cvtepi16_epi32(_mm256_load_si256((const void *)at)));
}

#include "engine/eval/kernels_simd.h"
