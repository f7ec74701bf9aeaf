/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <immintrin.h>

#define KERNELS_NAME "avx2"
#define KERNELS_SET kernels_avx2

enum { UNITS = 16 };

typedef __m256i Vector;
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

static inline Sums sums_zero(void)
{
    return _mm256_setzero_si256();
}

static inline Sums sums_add(Sums a, Sums b)
{
    return _mm256_add_epi32(a, b);
}

static inline int32_t sums_total(Sums sums)
{
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(half);
}

static inline Sums add_squares(Sums sums, Vector hidden, Vector weights)
{
    Vector above = _mm256_max_epi16(hidden, _mm256_setzero_si256());
    Vector h = _mm256_min_epi16(above, _mm256_set1_epi16(NETWORK_QA));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_mullo_epi16(h, weights), h));
}

#include "engine/eval/kernels_simd.h"
