/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manifests of shards: whatever their text, what is found for a shard are 64 hexadecimal digits of
 * the manifest behind their key, or nothing. The first line of the input is the shard's name. */
#include "engine/train/shard_pool.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 2);
    if (!text)
        abort();
    memcpy(text, data, size);
    char *manifest = text + strcspn(text, "\n");
    if (*manifest)
        *manifest++ = 0;
    Text hash = shard_manifest_hash(manifest, text);
    if (hash.len &&
        (hash.len != 64 || hash.at < manifest || hash.at + hash.len > manifest + strlen(manifest) ||
         memcmp(hash.at - 8, " sha256=", 8) != 0))
        abort();
    free(text);
    return 0;
}
