/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <immintrin.h>

#define KERNELS_NAME "avx512"
#define KERNELS_SET kernels_avx512

enum { UNITS = 32 };

typedef __m512i Vector;
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

static inline Sums sums_zero(void)
{
    return _mm512_setzero_si512();
}

static inline Sums sums_add(Sums a, Sums b)
{
    return _mm512_add_epi32(a, b);
}

static inline int32_t sums_total(Sums sums)
{
    /* Not _mm512_reduce_add_epi32(): gcc ends it with a signed addition, but these sums may wrap.
     */
    __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    __m128i quarter =
        _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    quarter = _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, _MM_SHUFFLE(1, 0, 3, 2)));
    quarter = _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(quarter);
}

static inline Sums add_squares(Sums sums, Vector hidden, Vector weights)
{
    Vector above = _mm512_max_epi16(hidden, _mm512_setzero_si512());
    Vector h = _mm512_min_epi16(above, _mm512_set1_epi16(NETWORK_QA));
    return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_mullo_epi16(h, weights), h));
}

#include "engine/eval/kernels_simd.h"
