/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/convolution.h"

#include "engine/human/winograd.h"

#include <stddef.h>

enum { SETS_MAX = 3 };

typedef struct {
    Convolution *run;
    Winograd *many;
    const char *name;
} Set;

/* The processor's sets in `sets`, the fastest last. */
static int find(Set sets[SETS_MAX])
{
    int count = 0;
#if defined(__x86_64__)
    sets[count++] = (Set){ convolution_baseline, winograd_baseline, "SSE2" };
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        sets[count++] = (Set){ convolution_avx2, winograd_avx2, "AVX2" };
    if (__builtin_cpu_supports("avx512f"))
        sets[count++] = (Set){ convolution_avx512, winograd_avx512, "AVX-512" };
#else
    sets[count++] = (Set){ convolution_baseline, winograd_baseline, "the compiler's vectors" };
#endif
    return count;
}

Convolution *convolution_best(void)
{
    Set sets[SETS_MAX];
    return sets[find(sets) - 1].run;
}

Convolution *convolution_nth(int n)
{
    Set sets[SETS_MAX];
    return n < find(sets) ? sets[n].run : NULL;
}

Winograd *winograd_nth(int n)
{
    Set sets[SETS_MAX];
    return n < find(sets) ? sets[n].many : NULL;
}

const char *convolution_name(Convolution *convolution)
{
    Set sets[SETS_MAX];
    int i = find(sets) - 1;
    while (i > 0 && sets[i].run != convolution)
        i--;
    return sets[i].name;
}
