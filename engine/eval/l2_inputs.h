/* SPDX-License-Identifier: GPL-3.0-or-later */
/* l2_inputs.h - what L2 reads of L1. Private to the kernels,
 * where compilers make the set's instructions of it. */
#pragma once
#include "engine/base/minmax.h"
#include "engine/eval/network_file.h"

/* All neurons are bent, which fills vectors, and the last ones overwritten: it is no input. */
static inline void l2_inputs(int16_t inputs[NETWORK_L2_INPUTS + 2], const int32_t l1[NETWORK_L1])
{
    for (int k = 0; k < NETWORK_L1; k++)
        inputs[k] = (int16_t)int_clamp(l1[k], 0, NETWORK_QC);
    for (int k = 0; k < NETWORK_L1; k++) {
        int cut = int_clamp(l1[k], -NETWORK_QC, NETWORK_QC);
        inputs[NETWORK_L1 - 1 + k] = (int16_t)((unsigned)(cut * cut) / NETWORK_QC);
    }
}
