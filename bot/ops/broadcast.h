/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broadcast.h - bytes that many read at their own pace: a ring that is written once for all.
 * A reader has a place in the row of all bytes ever written. One who falls behind by more than the
 * ring holds has lost its place; nobody waits for it. Owner's thread only. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { BROADCAST_SIZE = 1 << 20 };

typedef struct {
    char *ring;   /* BROADCAST_SIZE bytes */
    uint64_t end; /* bytes written so far: where a new reader begins */
} Broadcast;

/* False without memory. */
bool broadcast_init(Broadcast *broadcast) MUST_CHECK;
void broadcast_release(Broadcast *broadcast);

/* `len` is at most BROADCAST_SIZE. */
void broadcast_put(Broadcast *broadcast, const char *bytes, size_t len);

typedef enum {
    BROADCAST_READ, /* *len bytes */
    BROADCAST_NONE, /* there are no more yet */
    BROADCAST_LOST, /* the next ones are gone */
} BroadcastResult;

/* Copies what comes after *at, `size` bytes at most, and moves *at on. */
BroadcastResult broadcast_read(const Broadcast *broadcast, uint64_t *at, char *out, size_t size,
                               size_t *len) MUST_CHECK;
