/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network files: whatever their bytes, they are refused or give weights with which no sum can
 * overflow. Where the first byte is odd, the rest are weights, and get a header of a small network
 * of the rules, king buckets and activations that its other bits name: without the right sizes and
 * hash nothing behind these checks would ever be reached. */
#include "engine/eval/output_layers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file whose first weights are the input, the others zero. */
static uint8_t *repaired(const uint8_t *data, size_t size, unsigned choice, size_t *file_size)
{
    Ruleset ruleset = (Ruleset)(choice % RULESET_COUNT);
    const NetworkInfo info = {
        .width = 2 * NETWORK_WIDTH_STEP,
        .buckets = 1,
        .king_buckets = ruleset != RULES_STANDARD    ? 1
                        : choice / RULESET_COUNT & 1 ? 8
                                                     : 4,
        .activation = choice / RULESET_COUNT & 2 ? NETWORK_PRODUCTS : NETWORK_SQUARES,
        .scale = 200,
        .ruleset = ruleset,
    };
    NetworkShape shape = network_shape_of(&info);
    void *zeros = calloc(1, network_payload_size(shape));
    if (!zeros)
        abort();
    NetworkWeights weights = network_weights_at(zeros, shape);
    uint8_t *bytes;
    if (!network_file_write(&bytes, file_size, &info, &weights, "fuzz", NULL))
        abort();
    free(zeros);
    uint8_t *payload = bytes + NETWORK_HEADER_SIZE;
    size_t room = *file_size - NETWORK_HEADER_SIZE;
    memcpy(payload, data, size < room ? size : room);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < room; i++)
        hash = (hash ^ payload[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++)
        bytes[48 + i] = (uint8_t)(hash >> 8 * i);
    return bytes;
}

static void check(const Network *network)
{
    const NetworkInfo *info = &network->info;
    if (info->width < NETWORK_WIDTH_STEP || info->width > NETWORK_WIDTH_MAX ||
        strlen(info->name) >= NETWORK_NAME_SIZE)
        abort();
    /* The hidden units at their ends: sums that overflow are found by the sanitizer. */
    _Alignas(KERNELS_ALIGNMENT) uint8_t active[OUTPUT_LAYERS_INPUTS_MAX] = { 0 };
    const int count = network_activations(network_shape_of(info));
    Network portable = *network;
    network_force(&portable, kernels_nth(0) /* portable */);
    for (int bucket = 0; bucket < info->buckets; bucket++) {
        memset(active, NETWORK_ACTIVATION_MAX, (size_t)count);
        memset(active + count, 0, (size_t)count);
        output_layers_evaluate(&portable, active, bucket);
        memset(active + count, NETWORK_ACTIVATION_MAX, (size_t)count);
        output_layers_evaluate(&portable, active, bucket);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    Network *network = NULL;
    if (data[0] & 1) {
        size_t file_size;
        uint8_t *bytes = repaired(data + 1, size - 1, data[0] >> 1, &file_size);
        if (network_read(&network, bytes, file_size, NULL))
            check(network);
        free(bytes);
    } else if (network_read(&network, data + 1, size - 1, NULL)) {
        check(network);
    }
    network_free(network);
    return 0;
}
