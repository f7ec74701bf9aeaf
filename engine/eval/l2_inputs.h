/* SPDX-License-Identifier: GPL-3.0-or-later */
/* l2_inputs.h - what L2 reads of L1. Private to the kernels,
 * where compilers make the set's instructions of it. */
#pragma once
#include "engine/base/minmax.h"
#include "engine/eval/network_file.h"

/* All neurons are clamped and squared, which fills vectors: the last one is no input. */
typedef struct {
    int16_t clamped[NETWORK_L1];
    int16_t squares[NETWORK_L1];
} L2Inputs;

static inline void l2_inputs(L2Inputs *inputs, const int32_t l1[NETWORK_L1])
{
    for (int k = 0; k < NETWORK_L1; k++)
        inputs->clamped[k] = (int16_t)int_clamp(l1[k], 0, NETWORK_QC);
    for (int k = 0; k < NETWORK_L1; k++) {
        int cut = int_clamp(l1[k], -NETWORK_QC, NETWORK_QC);
        inputs->squares[k] = (int16_t)((unsigned)(cut * cut) / NETWORK_QC);
    }
}
