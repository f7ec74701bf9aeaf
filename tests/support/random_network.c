/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_network.h"

#include "engine/base/random.h"
#include "tests/support/unit.h"

static int16_t within(uint64_t *seed, int limit)
{
    return (int16_t)((int)random_below(seed, (uint64_t)(2 * limit + 1)) - limit);
}

uint8_t *random_network_file_of(Ruleset ruleset, uint64_t seed, int width, int buckets,
                                size_t *size)
{
    const NetworkInfo info = {
        .width = width, .buckets = buckets, .scale = 200, .ruleset = ruleset
    };
    void *payload = calloc(1, network_payload_size(network_shape_of(&info)));
    uint8_t *bytes = NULL;
    assert_non_null(payload);
    const NetworkWeights w = network_weights_at(payload, network_shape_of(&info));
    /* Sums of some thirty weights spread over both ends of the clamp, and so do those of the layers
     * behind. */
    for (int i = 0; i < network_inputs(ruleset) * width; i++)
        w.feature_weights[i] = within(&seed, 100);
    for (int i = 0; i < width; i++)
        w.feature_biases[i] = within(&seed, 300);
    for (int i = 0; i < buckets * 2 * width * NETWORK_FIRST; i++)
        w.first_weights[i] = (int8_t)within(&seed, 30);
    for (int i = 0; i < buckets * NETWORK_FIRST; i++)
        w.first_biases[i] = (int32_t)random_below(&seed, 4001) - 2000;
    for (int i = 0; i < buckets * NETWORK_SECOND_INPUTS * NETWORK_SECOND; i++)
        w.second_weights[i] = within(&seed, 1000);
    for (int i = 0; i < buckets * NETWORK_SECOND; i++) {
        w.second_biases[i] = (int32_t)random_below(&seed, 4000001) - 2000000;
        w.third_weights[i] = within(&seed, 1000);
    }
    Error err = { 0 };
    if (!network_file_write(&bytes, size, &info, &w, "test", &err))
        fail_msg("%s", err.text);
    free(payload);
    return bytes;
}

uint8_t *random_network_file(uint64_t seed, int width, int buckets, size_t *size)
{
    return random_network_file_of(RULES_STANDARD, seed, width, buckets, size);
}

Network *random_network_of(Ruleset ruleset, uint64_t seed, int width, int buckets)
{
    size_t size = 0;
    uint8_t *bytes = random_network_file_of(ruleset, seed, width, buckets, &size);
    Network *network = NULL;
    Error err = { 0 };
    if (!network_read(&network, bytes, size, &err))
        fail_msg("%s", err.text);
    free(bytes);
    return network;
}

Network *random_network(uint64_t seed, int width, int buckets)
{
    return random_network_of(RULES_STANDARD, seed, width, buckets);
}
