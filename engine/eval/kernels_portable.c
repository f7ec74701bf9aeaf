/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h's sums in plain C: what the other sets are held to. */
#include "engine/eval/kernels.h"

#include "engine/eval/l2_inputs.h"

#include <string.h>

static void refresh(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                    const int16_t *const *removed, int removed_count, int width)
{
    for (int i = 0; i < width; i++) {
        int sum = from[i];
        for (int r = 0; r < added_count; r++)
            sum += added[r][i];
        for (int r = 0; r < removed_count; r++)
            sum -= removed[r][i];
        to[i] = (int16_t)sum;
    }
}

static void multiply(uint8_t *to, const int16_t *a, const int16_t *b, int count)
{
    for (int i = 0; i < count; i++) {
        int product = int_clamp(a[i], 0, NETWORK_QA) * int_clamp(b[i], 0, NETWORK_QA);
        to[i] = (uint8_t)((product + 256) / 512);
    }
}

static void update(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                   const int16_t *const *removed, int removed_count, int width, uint8_t *active,
                   int active_count)
{
    refresh(to, from, added, added_count, removed, removed_count, width);
    if (active)
        multiply(active, to, to + width - active_count, active_count);
}

static void l1(int32_t *to, const uint8_t *from, const int8_t *weights, const int32_t *biases,
               int count)
{
    for (int k = 0; k < NETWORK_L1; k++)
        to[k] = biases[k];
    for (int i = 0; i < count; i += 4, weights += 4 * NETWORK_L1)
        for (int k = 0; k < NETWORK_L1; k++)
            to[k] += from[i] * weights[4 * k] + from[i + 1] * weights[4 * k + 1] +
                     from[i + 2] * weights[4 * k + 2] + from[i + 3] * weights[4 * k + 3];
}

static int32_t l2_l3(const int32_t *from, const int16_t *weights, const int32_t *biases,
                     const int16_t *l3_weights)
{
    L2Inputs two;
    l2_inputs(&two, from);
    int16_t inputs[NETWORK_L2_INPUTS];
    memcpy(inputs, two.clamped, (NETWORK_L1 - 1) * sizeof *inputs);
    memcpy(inputs + NETWORK_L1 - 1, two.squares, (NETWORK_L1 - 1) * sizeof *inputs);
    int32_t l2[NETWORK_L2], sum = 0;
    for (int k = 0; k < NETWORK_L2; k++)
        l2[k] = biases[k];
    for (int i = 0; i < NETWORK_L2_INPUTS; i += 2, weights += 2 * NETWORK_L2)
        for (int k = 0; k < NETWORK_L2; k++)
            l2[k] += inputs[i] * weights[2 * k] + inputs[i + 1] * weights[2 * k + 1];
    for (int k = 0; k < NETWORK_L2; k++)
        sum += int_clamp(l2[k] / NETWORK_QD, 0, NETWORK_QC) * l3_weights[k];
    return sum;
}

const Kernels kernels_portable = {
    "portable", refresh, update, multiply, l1, l2_l3,
};
