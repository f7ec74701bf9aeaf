/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/kernels.h"

enum { SETS_MAX = 4 };

/* The processor's sets in `sets`, the fastest last; the rest is NULL. */
static int find(const Kernels *sets[SETS_MAX])
{
    int count = 0;
    sets[count++] = &kernels_portable;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1"))
        sets[count++] = &kernels_sse41;
    if (__builtin_cpu_supports("avx2"))
        sets[count++] = &kernels_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vnni"))
        sets[count++] = &kernels_avx512;
#elif defined(__aarch64__)
    sets[count++] = &kernels_neon;
#endif
    return count;
}

const Kernels *kernels_best(void)
{
    const Kernels *sets[SETS_MAX];
    return sets[find(sets) - 1];
}

const Kernels *kernels_nth(int n)
{
    const Kernels *sets[SETS_MAX];
    return n < find(sets) ? sets[n] : NULL;
}
