/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network files: whatever their bytes, they are refused or give weights with which no sum can
 * overflow. The first byte of the input says whether the rest gets the right sizes and SHA-256:
 * without them nothing behind these checks would ever be reached. */
#include "engine/eval/output_layers.h"

#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE = NETWORK_HEADER_SIZE + 199872 /* of width 32, one bucket */ };

/* A file of the smallest network, in which the input replaces what it reaches. */
static uint8_t *repaired(const uint8_t *data, size_t size)
{
    uint8_t *bytes = calloc(1, SIZE);
    if (!bytes || network_file_size((NetworkShape){ 32, 1, RULES_STANDARD }) != SIZE)
        abort();
    size_t room = SIZE - NETWORK_HEADER_SIZE;
    memcpy(bytes + NETWORK_HEADER_SIZE, data, size < room ? size : room);
    static const uint8_t header[48] =
        "CASTNNUE\2\0\0\0\200\0\0\0\317\135\362\255\40\0\1\1\4\0\0\0\377\0\0\0"
        "\140\0\0\0\310\0\0\0\300\14\3";
    memcpy(bytes, header, sizeof header);
    SHA256(bytes + NETWORK_HEADER_SIZE, room, bytes + 48);
    memcpy(bytes + 112, "fuzz", 4);
    return bytes;
}

static void check(const Network *network)
{
    const NetworkInfo *info = &network->info;
    if (info->width < NETWORK_WIDTH_STEP || info->width > NETWORK_WIDTH_MAX ||
        strlen(info->name) >= NETWORK_NAME_SIZE)
        abort();
    /* The hidden units at their ends: sums that overflow are found by the sanitizer. */
    _Alignas(KERNELS_ALIGNMENT) int16_t none[NETWORK_WIDTH_MAX] = { 0 }, full[NETWORK_WIDTH_MAX];
    for (int i = 0; i < info->width; i++)
        full[i] = NETWORK_QA;
    Network portable = *network;
    network_force(&portable, kernels_nth(0) /* portable */);
    for (int bucket = 0; bucket < info->buckets; bucket++) {
        output_layers_evaluate(&portable, full, none, bucket);
        output_layers_evaluate(&portable, full, full, bucket);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    Network *network = NULL;
    if (data[0] & 1) {
        uint8_t *bytes = repaired(data + 1, size - 1);
        if (network_read(&network, bytes, SIZE, NULL))
            check(network);
        free(bytes);
    } else if (network_read(&network, data + 1, size - 1, NULL)) {
        check(network);
    }
    network_free(network);
    return 0;
}
