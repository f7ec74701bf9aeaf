/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network.h"

#include "engine/base/mapped_file.h"
#include "engine/base/pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static_assert(NETWORK_WIDTH_STEP * sizeof(int16_t) % KERNELS_ALIGNMENT == 0,
              "where one row is aligned the next one is too");

static bool weights_new(NetworkWeights *out, const NetworkInfo *info, Error *err)
{
    size_t size = network_payload_size(network_shape_of(info));
    void *block = pages_new(size);
    if (!block) {
        error_set(err, ERR_MEMORY, "no memory for a network of %zu bytes", size);
        return false;
    }
    *out = network_weights_at(block, network_shape_of(info));
    return true;
}

bool network_read(Network **out, const uint8_t *bytes, size_t size, Error *err)
{
    NetworkInfo info;
    if (!network_file_read(&info, bytes, size, err))
        return false;
    Network *network = calloc(1, sizeof *network);
    if (!network) {
        error_set(err, ERR_MEMORY, "no memory for a network");
        return false;
    }
    network->info = info;
    network->kernels = kernels_best();
    if (!weights_new(&network->weights, &info, err) ||
        !network_file_read_weights(&network->weights, &info, bytes, err)) {
        network_free(network);
        return false;
    }
    *out = network;
    return true;
}

bool network_load(Network **out, const char *path, Error *err)
{
    MappedFile file = { 0 };
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = network_read(out, file.bytes, file.size, err);
    mapped_file_release(&file);
    if (!ok)
        error_prefix(err, "%s", path);
    return ok;
}

Network network_view(const uint8_t *file)
{
    Network network = { .info = network_file_info(file), .kernels = kernels_best() };
    /* Nobody writes to a network's weights once it is made. */
    network.weights = network_weights_at((void *)(uintptr_t)(file + NETWORK_HEADER_SIZE),
                                         network_shape_of(&network.info));
    return network;
}

/* If anybody reads these bytes again, the system fetches them from the program's file. */
static void give_back(const uint8_t *bytes, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)bytes;
    uintptr_t begin = (first + page - 1) / page * page, end = (first + size) / page * page;
    (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

Network *network_embedded_copy(void)
{
    size_t size;
    const uint8_t *file = network_embedded_file(&size);
    Network *network = malloc(sizeof *network);
    if (!network)
        return NULL;
    *network = network_view(file);
    if (!weights_new(&network->weights, &network->info, NULL)) {
        free(network);
        return NULL;
    }
    memcpy(network->weights.ft_weights, file + NETWORK_HEADER_SIZE, size - NETWORK_HEADER_SIZE);
    give_back(file, size);
    return network;
}

void network_free(Network *network)
{
    if (!network)
        return;
    pages_free(network->weights.ft_weights, network_payload_size(network_shape_of(&network->info)));
    free(network);
}

void network_force(Network *network, const Kernels *kernels)
{
    network->kernels = kernels;
}
