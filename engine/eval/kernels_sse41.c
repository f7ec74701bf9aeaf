/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <smmintrin.h>

#define KERNELS_NAME "sse41"
#define KERNELS_SET kernels_sse41

enum { UNITS = 8 };

typedef __m128i Vector;
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

static inline Sums sums_zero(void)
{
    return _mm_setzero_si128();
}

static inline Sums sums_add(Sums a, Sums b)
{
    return _mm_add_epi32(a, b);
}

static inline int32_t sums_total(Sums sums)
{
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(sums);
}

static inline Sums add_squares(Sums sums, Vector hidden, Vector weights)
{
    Vector above = _mm_max_epi16(hidden, _mm_setzero_si128());
    Vector h = _mm_min_epi16(above, _mm_set1_epi16(NETWORK_QA));
    return _mm_add_epi32(sums, _mm_madd_epi16(_mm_mullo_epi16(h, weights), h));
}

#include "engine/eval/kernels_simd.h"
