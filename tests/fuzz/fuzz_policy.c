/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policy networks, as they lie behind the gzip: whatever the bytes, they are refused or give layers
 * that fit together. */
#include "engine/human/policy_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PolicyWeights weights;
    if (!policy_message_read(&weights, data, size, NULL))
        return 0;
    if (weights.filters < 1 || weights.input.outputs != weights.filters ||
        weights.policy_hidden.inputs != weights.filters || weights.policy.outputs != 80)
        abort();
    for (int i = 0; i < weights.block_count; i++)
        if (weights.blocks[i].excite.outputs != 2 * weights.filters)
            abort();
    policy_weights_release(&weights);
    return 0;
}
