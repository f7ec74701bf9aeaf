/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/convolution.h"

enum { SETS_MAX = 3 };

/* The processor's sets in `sets`, the fastest last. */
static int find(Convolution *sets[SETS_MAX])
{
    int count = 0;
    sets[count++] = convolution_baseline;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        sets[count++] = convolution_avx2;
    if (__builtin_cpu_supports("avx512f"))
        sets[count++] = convolution_avx512;
#endif
    return count;
}

Convolution *convolution_best(void)
{
    Convolution *sets[SETS_MAX];
    return sets[find(sets) - 1];
}

Convolution *convolution_nth(int n)
{
    Convolution *sets[SETS_MAX];
    return n < find(sets) ? sets[n] : NULL;
}
