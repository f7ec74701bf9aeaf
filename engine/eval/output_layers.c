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
    _Alignas(KERNELS_ALIGNMENT) int32_t l1[NETWORK_L1];

    kernels->multiply(active, ours, ours + partner, count);
    kernels->multiply(active + count, theirs, theirs + partner, count);
    kernels->l1(l1, active, weights->l1_weights + network_l1_at(shape, bucket, 0, 0),
                weights->l1_biases + bucket * NETWORK_L1, 2 * count);

    int32_t sum = kernels->l2_l3(l1, weights->l2_weights + network_l2_at(bucket, 0, 0),
                                 weights->l2_biases + bucket * NETWORK_L2,
                                 weights->l3_weights + bucket * NETWORK_L2);
    int64_t logit = (int64_t)l1[NETWORK_L1 - 1] * NETWORK_QD + sum;
    return (int)(logit * network->info.scale / ((int64_t)NETWORK_QC * NETWORK_QD));
}
