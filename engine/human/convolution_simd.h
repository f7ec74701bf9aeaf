/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convolution_simd.h - the loop of convolution.h for vectors of LANES numbers; included once by a
 * file that says LANES, SQUARES (at a time, a divisor of 8) and CONVOLUTION (its name). Internal.
 *
 * Two vectors of outputs for SQUARES squares of a rank stay in registers while all inputs pass by,
 * so that each weight is loaded once for all of them. */
#include "engine/human/convolution.h"

#include <assert.h>

typedef float Vector __attribute__((vector_size(LANES * sizeof(float))));

static_assert(POLICY_STEP % (2 * LANES) == 0 && 8 % SQUARES == 0, "whole blocks");

static inline Vector load(const float *at)
{
    return *(const Vector *)(const void *)at;
}

static inline void store(float *at, Vector v, bool has_relu)
{
    const Vector zero = { 0 };
    /* A comparison gives all ones or zeros in each lane. */
    typedef int32_t Mask __attribute__((vector_size(LANES * sizeof(int32_t))));
    if (has_relu)
        v = (Vector)((Mask)v & (Mask)(v > zero));
    *(Vector *)(void *)at = v;
}

/* Outputs `first`, … of the squares from `at` on. */
static void block(float *to, const float *from, int from_stride, const PolicyLayer *layer, int at,
                  int first, bool has_relu)
{
    Vector sums[SQUARES][2];
    for (int s = 0; s < SQUARES; s++)
        for (int v = 0; v < 2; v++)
            sums[s][v] = load(layer->biases + first + v * LANES);
    const float *weights = layer->weights + first;
    for (int tap = 0; tap < 9; tap++) {
        int neighbour = at + (tap / 3 - 1) * CONVOLUTION_SIDE + tap % 3 - 1;
        const float *inputs = from + (size_t)neighbour * (size_t)from_stride;
        for (int i = 0; i < layer->inputs; i++, weights += layer->stride) {
            Vector low = load(weights), high = load(weights + LANES);
            for (int s = 0; s < SQUARES; s++) {
                float input = inputs[(size_t)s * (size_t)from_stride + (size_t)i];
                sums[s][0] += low * input;
                sums[s][1] += high * input;
            }
        }
    }
    for (int s = 0; s < SQUARES; s++)
        for (int v = 0; v < 2; v++)
            store(to + (size_t)(at + s) * (size_t)layer->stride + first + v * LANES, sums[s][v],
                  has_relu);
}

void CONVOLUTION(float *to, const float *from, int from_stride, const PolicyLayer *layer,
                 bool has_relu)
{
    for (int first = 0; first < layer->stride; first += 2 * LANES)
        for (int rank = 0; rank < 8; rank++)
            for (int file = 0; file < 8; file += SQUARES)
                block(to, from, from_stride, layer, convolution_square(rank, file), first,
                      has_relu);
}
