/* SPDX-License-Identifier: GPL-3.0-or-later */
/* softmax.h - from logits to probabilities, in place. Pure. */
#pragma once
#include <math.h>

static inline void softmax(float *values, int count)
{
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < count; i++)
        most = fmaxf(most, values[i]);
    for (int i = 0; i < count; i++)
        sum += values[i] = expf(values[i] - most);
    for (int i = 0; i < count; i++)
        values[i] /= sum;
}
