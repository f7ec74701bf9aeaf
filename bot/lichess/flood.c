/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/flood.h"

enum {
    BURST = 8 << 20, /* bytes at once, */
    RATE = 256,      /* and then a millisecond; */
    LINE_COST = 64,  /* a line costs so many more: the shortest take longest to read */
};

void flood_init(Flood *flood, int64_t now_ms)
{
    *flood = (Flood){ .budget = BURST, .at_ms = now_ms };
}

bool flood_allows(Flood *flood, const char *bytes, size_t len, int64_t now_ms)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    int64_t budget = flood->budget + (now_ms - flood->at_ms) * RATE;
    flood->at_ms = now_ms;
    flood->budget = (budget < BURST ? budget : BURST) - (int64_t)(len + LINE_COST * lines);
    return flood->budget >= 0;
}
