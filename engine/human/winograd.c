/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/winograd.h"

#include <stdlib.h>

enum { SIDE = 6, KERNEL = 3 };

float *winograd_weights(const PolicyLayer *layer)
{
    static const float transform[SIDE][KERNEL] = {
        { 1.0F / 4, 0, 0 },
        { -1.0F / 6, -1.0F / 6, -1.0F / 6 },
        { -1.0F / 6, 1.0F / 6, -1.0F / 6 },
        { 1.0F / 24, 1.0F / 12, 1.0F / 6 },
        { 1.0F / 24, -1.0F / 12, 1.0F / 6 },
        { 0, 0, 1 },
    };
    size_t count = (size_t)layer->inputs * (size_t)layer->stride;
    float *weights = aligned_alloc(POLICY_ALIGNMENT, WINOGRAD_POINTS * count * sizeof *weights);
    if (!weights)
        return NULL;
    for (int point = 0; point < WINOGRAD_POINTS; point++) {
        const float *rows = transform[point / SIDE], *columns = transform[point % SIDE];
        for (size_t i = 0; i < count; i++) {
            float sum = 0;
            for (size_t tap = 0; tap < KERNEL * KERNEL; tap++)
                sum += rows[tap / KERNEL] * columns[tap % KERNEL] * layer->weights[tap * count + i];
            weights[(size_t)point * count + i] = sum;
        }
    }
    return weights;
}

size_t winograd_room(int boards, int stride)
{
    return (size_t)2 * WINOGRAD_POINTS * WINOGRAD_TILES * (size_t)boards * (size_t)stride;
}
