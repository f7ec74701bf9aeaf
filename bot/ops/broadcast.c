/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/broadcast.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool broadcast_init(Broadcast *broadcast)
{
    *broadcast = (Broadcast){ .ring = malloc(BROADCAST_SIZE) };
    return broadcast->ring;
}

void broadcast_release(Broadcast *broadcast)
{
    free(broadcast->ring);
    *broadcast = (Broadcast){ .ring = NULL };
}

void broadcast_put(Broadcast *broadcast, const char *bytes, size_t len)
{
    assert(len <= BROADCAST_SIZE);
    size_t at = broadcast->end % BROADCAST_SIZE;
    size_t first = len < BROADCAST_SIZE - at ? len : BROADCAST_SIZE - at;
    memcpy(broadcast->ring + at, bytes, first);
    memcpy(broadcast->ring, bytes + first, len - first);
    broadcast->end += len;
}

BroadcastResult broadcast_read(const Broadcast *broadcast, uint64_t *at, char *out, size_t size,
                               size_t *len)
{
    uint64_t behind = broadcast->end - *at;
    if (behind == 0)
        return BROADCAST_NONE;
    if (behind > BROADCAST_SIZE)
        return BROADCAST_LOST;
    *len = behind < size ? (size_t)behind : size;
    size_t from = *at % BROADCAST_SIZE;
    size_t first = *len < BROADCAST_SIZE - from ? *len : BROADCAST_SIZE - from;
    memcpy(out, broadcast->ring + from, first);
    memcpy(out + first, broadcast->ring, *len - first);
    *at += *len;
    return BROADCAST_READ;
}
