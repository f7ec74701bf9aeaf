/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h's sums in plain C: what the other sets are held to. */
#include "engine/eval/kernels.h"

#include "engine/eval/network_file.h"

static void refresh(int16_t *to, const int16_t *biases, const int16_t *const *rows, int count,
                    int width)
{
    for (int i = 0; i < width; i++) {
        int sum = biases[i];
        for (int r = 0; r < count; r++)
            sum += rows[r][i];
        to[i] = (int16_t)sum;
    }
}

static void add1_remove1(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = (int16_t)(from[i] + added[0][i] - removed[0][i]);
}

static void add1_remove2(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = (int16_t)(from[i] + added[0][i] - removed[0][i] - removed[1][i]);
}

static void add2_remove2(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = (int16_t)(from[i] + added[0][i] + added[1][i] - removed[0][i] - removed[1][i]);
}

static uint32_t view_output(const int16_t *hidden, const int16_t *weights, int width)
{
    uint32_t sum = 0; /* unsigned: it may wrap in between */
    for (int i = 0; i < width; i++) {
        int h = hidden[i] < 0 ? 0 : hidden[i] > NETWORK_QA ? NETWORK_QA : hidden[i];
        int16_t product = (int16_t)(h * weights[i]);
        sum += (uint32_t)(product * h);
    }
    return sum;
}

static int32_t output(const int16_t *us, const int16_t *them, const int16_t *weights, int width)
{
    return (int32_t)(view_output(us, weights, width) + view_output(them, weights + width, width));
}

const Kernels kernels_portable = {
    "portable", refresh, add1_remove1, add1_remove2, add2_remove2, output,
};
