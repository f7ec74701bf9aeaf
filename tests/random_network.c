/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/random_network.h"

#include "engine/base/random.h"
#include "tests/unit.h"

static int16_t within(uint64_t *seed, int limit)
{
    return (int16_t)((int)random_below(seed, (uint64_t)(2 * limit + 1)) - limit);
}

uint8_t *random_network_file(uint64_t seed, int width, int buckets, size_t *size)
{
    const NetworkInfo info = { .width = width, .buckets = buckets, .scale = 200 };
    int features = NETWORK_INPUTS * width, outputs = buckets * 2 * width;
    NetworkWeights w = {
        .feature_weights = malloc((size_t)features * sizeof(int16_t)),
        .feature_biases = malloc((size_t)width * sizeof(int16_t)),
        .output_weights = malloc((size_t)outputs * sizeof(int16_t)),
        .output_biases = malloc((size_t)buckets * sizeof(int32_t)),
    };
    uint8_t *bytes = NULL;
    assert_true(w.feature_weights && w.feature_biases && w.output_weights && w.output_biases);
    /* Sums of some thirty weights spread over both ends of the clamp; outputs stay small enough
     * for any width. */
    for (int i = 0; i < features; i++)
        w.feature_weights[i] = within(&seed, 100);
    for (int i = 0; i < width; i++)
        w.feature_biases[i] = within(&seed, 300);
    for (int i = 0; i < outputs; i++)
        w.output_weights[i] = within(&seed, 30);
    for (int i = 0; i < buckets; i++)
        w.output_biases[i] = (int32_t)random_below(&seed, 4001) - 2000;
    Error err = { 0 };
    if (!network_file_write(&bytes, size, &info, &w, "test", &err))
        fail_msg("%s", err.text);
    free(w.feature_weights);
    free(w.feature_biases);
    free(w.output_weights);
    free(w.output_biases);
    return bytes;
}

Network *random_network(uint64_t seed, int width, int buckets)
{
    size_t size = 0;
    uint8_t *bytes = random_network_file(seed, width, buckets, &size);
    Network *network = NULL;
    Error err = { 0 };
    if (!network_read(&network, bytes, size, &err))
        fail_msg("%s", err.text);
    free(bytes);
    return network;
}
