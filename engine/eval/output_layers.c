/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/output_layers.h"

void output_layers_activate(const Network *network, uint8_t *active, const int16_t *hidden)
{
    const NetworkShape shape = network_shape_of(&network->info);
    const int count = network_activations(shape);
    network->kernels->multiply(active, hidden, hidden + shape.width - count, count);
}

int output_layers_evaluate(const Network *network, const uint8_t *active, int bucket)
{
    const NetworkWeights *weights = &network->weights;
    const Kernels *kernels = network->kernels;
    const NetworkShape shape = network_shape_of(&network->info);
    _Alignas(KERNELS_ALIGNMENT) int32_t l1[NETWORK_L1];

    kernels->l1(l1, active, weights->l1_weights + network_l1_at(shape, bucket, 0, 0),
                weights->l1_biases + bucket * NETWORK_L1, 2 * network_activations(shape));

    int32_t sum = kernels->l2_l3(l1, weights->l2_weights + network_l2_at(bucket, 0, 0),
                                 weights->l2_biases + bucket * NETWORK_L2,
                                 weights->l3_weights + bucket * NETWORK_L2);
    int64_t logit = (int64_t)l1[NETWORK_L1 - 1] * NETWORK_QD + sum;
    return (int)(logit * network->info.scale / ((int64_t)NETWORK_QC * NETWORK_QD));
}
