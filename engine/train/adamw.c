/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/adamw.h"

#include <math.h>

static const float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F, decay = 0.01F;

enum { CHUNK = 64 }; /* stays in registers or in the L1 cache while the gradients are added */

static void add_gradients(float sums[CHUNK], float *const *gradients, int count, size_t at,
                          size_t length)
{
    for (size_t i = 0; i < length; i++)
        sums[i] = 0;
    for (int g = 0; g < count; g++) {
        float *gradient = gradients[g] + at;
        for (size_t i = 0; i < length; i++) {
            sums[i] += gradient[i];
            gradient[i] = 0;
        }
    }
}

void adamw_step(const AdamwState *state, float *const *gradients, int count, size_t from, size_t to,
                float rate, uint64_t step)
{
    /* Both means start at 0 and are too small at first by these factors. */
    float scale1 = (float)(1 / (1 - pow((double)beta1, (double)step)));
    float scale2 = (float)(1 / (1 - pow((double)beta2, (double)step)));
    for (size_t at = from; at < to; at += CHUNK) {
        size_t length = to - at < CHUNK ? to - at : CHUNK;
        float sums[CHUNK];
        add_gradients(sums, gradients, count, at, length);
        float *restrict weight = state->parameters + at;
        float *restrict first = state->first + at, *restrict second = state->second + at;
        for (size_t i = 0; i < length; i++) {
            first[i] = beta1 * first[i] + (1 - beta1) * sums[i];
            second[i] = beta2 * second[i] + (1 - beta2) * sums[i] * sums[i];
            float move = first[i] * scale1 / (sqrtf(second[i] * scale2) + epsilon);
            float moved = weight[i] - rate * (move + decay * weight[i]);
            moved = moved > ADAMW_CLIP ? ADAMW_CLIP : moved;
            weight[i] = moved < -ADAMW_CLIP ? -ADAMW_CLIP : moved;
        }
    }
}
