/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_network.h"

#include "engine/base/random.h"
#include "tests/support/unit.h"

static int16_t within(uint64_t *seed, int limit)
{
    return (int16_t)((int)random_below(seed, (uint64_t)(2 * limit + 1)) - limit);
}

uint8_t *random_network_file_of(NetworkShape shape, uint64_t seed, size_t *size)
{
    const NetworkInfo info = { .width = shape.width,
                               .buckets = shape.buckets,
                               .king_buckets = shape.king_buckets,
                               .activation = shape.activation,
                               .scale = 200,
                               .ruleset = shape.ruleset };
    void *payload = calloc(1, network_payload_size(shape));
    uint8_t *bytes = NULL;
    assert_non_null(payload);
    const NetworkWeights w = network_weights_at(payload, shape);
    /* Sums of some thirty weights spread over both ends of the clamp, and so do those of the layers
     * behind. */
    for (int i = 0; i < network_inputs(shape) * shape.width; i++)
        w.ft_weights[i] = within(&seed, 100);
    for (int i = 0; i < shape.width; i++)
        w.ft_biases[i] = within(&seed, 300);
    for (size_t i = 0; i < network_l1_at(shape, shape.buckets, 0, 0); i++)
        w.l1_weights[i] = (int8_t)within(&seed, 30);
    for (int i = 0; i < shape.buckets * NETWORK_L1; i++)
        w.l1_biases[i] = (int32_t)random_below(&seed, 4001) - 2000;
    for (int i = 0; i < shape.buckets * NETWORK_L2_INPUTS * NETWORK_L2; i++)
        w.l2_weights[i] = within(&seed, 1000);
    for (int i = 0; i < shape.buckets * NETWORK_L2; i++) {
        w.l2_biases[i] = (int32_t)random_below(&seed, 4000001) - 2000000;
        w.l3_weights[i] = within(&seed, 1000);
    }
    Error err = { 0 };
    if (!network_file_write(&bytes, size, &info, &w, "test", &err))
        fail_msg("%s", err.text);
    free(payload);
    return bytes;
}

Network *random_network_of(NetworkShape shape, uint64_t seed)
{
    size_t size = 0;
    uint8_t *bytes = random_network_file_of(shape, seed, &size);
    Network *network = NULL;
    Error err = { 0 };
    if (!network_read(&network, bytes, size, &err))
        fail_msg("%s", err.text);
    free(bytes);
    return network;
}

static NetworkShape chess_shape(int width, int buckets)
{
    return (NetworkShape){ width, buckets, RULES_STANDARD, 4, NETWORK_SQUARES };
}

uint8_t *random_network_file(uint64_t seed, int width, int buckets, size_t *size)
{
    return random_network_file_of(chess_shape(width, buckets), seed, size);
}

Network *random_network(uint64_t seed, int width, int buckets)
{
    return random_network_of(chess_shape(width, buckets), seed);
}

NetworkShape variant_network_shape(Ruleset ruleset, int width, int buckets)
{
    return (NetworkShape){ width, buckets, ruleset, 1, NETWORK_SQUARES };
}
