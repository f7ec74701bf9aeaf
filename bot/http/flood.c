/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/flood.h"

enum {
    STREAM_BURST = 8 << 20, /* bytes at once, */
    STREAM_RATE = 256,      /* and then a millisecond */
    CONNECTIONS_BURST = 12 << 20,
    CONNECTIONS_RATE = 4096,
    PIECE_COST = 64, /* a line or record costs so many more: the shortest take longest to read */
};

void flood_init(Flood *flood, int64_t now_ms)
{
    *flood = (Flood){
        .burst = STREAM_BURST, .rate = STREAM_RATE, .budget = STREAM_BURST, .at_ms = now_ms
    };
}

void flood_init_connections(Flood *flood, int64_t now_ms)
{
    *flood = (Flood){ .burst = CONNECTIONS_BURST,
                      .rate = CONNECTIONS_RATE,
                      .budget = CONNECTIONS_BURST,
                      .at_ms = now_ms };
}

static bool take(Flood *flood, size_t cost, int64_t now_ms)
{
    int64_t budget = flood->budget + (now_ms - flood->at_ms) * flood->rate;
    flood->at_ms = now_ms;
    flood->budget = (budget < flood->burst ? budget : flood->burst) - (int64_t)cost;
    return flood->budget >= 0;
}

bool flood_allows(Flood *flood, const char *bytes, size_t len, int64_t now_ms)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    return take(flood, len + PIECE_COST * lines, now_ms);
}

bool flood_allows_record(Flood *flood, size_t len, int64_t now_ms)
{
    return take(flood, len + PIECE_COST, now_ms);
}
