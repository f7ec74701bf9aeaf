/* SPDX-License-Identifier: GPL-3.0-or-later */
/* second_inputs.h - what the network's second layer reads of the first. Private to the kernels,
 * where compilers make the set's instructions of it. */
#pragma once
#include "engine/base/minmax.h"
#include "engine/eval/network_file.h"

/* All neurons are bent, which fills vectors, and the last ones overwritten: it is no input. */
static inline void second_inputs(int16_t inputs[NETWORK_SECOND_INPUTS + 2],
                                 const int32_t first[NETWORK_FIRST])
{
    for (int k = 0; k < NETWORK_FIRST; k++)
        inputs[k] = (int16_t)int_clamp(first[k], 0, NETWORK_QC);
    for (int k = 0; k < NETWORK_FIRST; k++) {
        int cut = int_clamp(first[k], -NETWORK_QC, NETWORK_QC);
        inputs[NETWORK_FIRST - 1 + k] = (int16_t)((unsigned)(cut * cut) / NETWORK_QC);
    }
}
