/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flood.h - how much a stream, or all connections, may send before it is cut off. Pure. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t burst, rate;   /* bytes at once, and then a millisecond */
    int64_t budget, at_ms; /* bytes that it may still send, and as of when */
} Flood;

/* One stream. */
void flood_init(Flood *flood, int64_t now_ms);

/* All connections to a server. */
void flood_init_connections(Flood *flood, int64_t now_ms);

/* Takes these bytes off what the stream may send; false: it floods us. */
bool flood_allows(Flood *flood, const char *bytes, size_t len, int64_t now_ms);

/* The same for a record of TLS with `len` bytes. */
bool flood_allows_record(Flood *flood, size_t len, int64_t now_ms);
