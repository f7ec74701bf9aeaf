/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/output_layers.h"

int output_layers_evaluate(const Network *network, const int16_t *ours, const int16_t *theirs,
                           int bucket)
{
    const NetworkWeights *weights = &network->weights;
    const Kernels *kernels = network->kernels;
    const NetworkShape shape = network_shape_of(&network->info);
    const int count = network_activations(shape), partner = shape.width - count;
    _Alignas(KERNELS_ALIGNMENT) uint8_t active[2 * NETWORK_WIDTH_MAX];
    _Alignas(KERNELS_ALIGNMENT) int32_t first[NETWORK_FIRST];

    kernels->multiply(active, ours, ours + partner, count);
    kernels->multiply(active + count, theirs, theirs + partner, count);
    kernels->first(first, active, weights->first_weights + network_first_at(shape, bucket, 0, 0),
                   weights->first_biases + bucket * NETWORK_FIRST, 2 * count);

    int32_t sum = kernels->later(first, weights->second_weights + network_second_at(bucket, 0, 0),
                                 weights->second_biases + bucket * NETWORK_SECOND,
                                 weights->third_weights + bucket * NETWORK_SECOND);
    int64_t logit = (int64_t)first[NETWORK_FIRST - 1] * NETWORK_QD + sum;
    return (int)(logit * network->info.scale / ((int64_t)NETWORK_QC * NETWORK_QD));
}
