/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/output_layers.h"

int output_layers_evaluate(const Network *network, const int16_t *ours, const int16_t *theirs,
                           int bucket)
{
    const NetworkWeights *weights = &network->weights;
    const Kernels *kernels = network->kernels;
    const int width = network->info.width;
    _Alignas(KERNELS_ALIGNMENT) uint8_t squares[2 * NETWORK_WIDTH_MAX];
    _Alignas(KERNELS_ALIGNMENT) int32_t first[NETWORK_FIRST];

    kernels->square(squares, ours, width);
    kernels->square(squares + width, theirs, width);
    kernels->first(first, squares, weights->first_weights + network_first_at(width, bucket, 0, 0),
                   weights->first_biases + bucket * NETWORK_FIRST, 2 * width);

    int32_t sum = kernels->later(first, weights->second_weights + network_second_at(bucket, 0, 0),
                                 weights->second_biases + bucket * NETWORK_SECOND,
                                 weights->third_weights + bucket * NETWORK_SECOND);
    int64_t logit = (int64_t)first[NETWORK_FIRST - 1] * NETWORK_QD + sum;
    return (int)(logit * network->info.scale / ((int64_t)NETWORK_QC * NETWORK_QD));
}
