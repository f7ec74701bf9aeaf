/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/fact_keys.h"

#include <stdio.h>
#include <string.h>

const char *fact_prefix(FactKind kind)
{
    static const char *const prefixes[FACT_KIND_COUNT] = {
        [FACT_ARENA] = "arena/",
        [FACT_BOT_GAMES] = "day/bot-games",
        [FACT_CREDITS] = "day/credits",
        [FACT_DECLINED] = "declined/",
        [FACT_EVAL_HISTORY] = "outlook/",
        [FACT_LAG] = "lag",
        [FACT_LIMIT] = "limit/",
        [FACT_LIST] = "list/",
        [FACT_OPENS] = "opens/event-stream",
        [FACT_PAIR] = "pair",
        [FACT_SCHEDULED] = "scheduled/",
        [FACT_PACE] = "pace/",
        [FACT_PLAYED] = "met/",
        [FACT_QUOTA] = "spent/",
        [FACT_REMATCH] = "rematch/",
        [FACT_VISIT] = "visit/",
    };
    return prefixes[kind];
}

bool fact_key_write(char out[FACT_KEY_SIZE], FactKind kind, Text id)
{
    const char *prefix = fact_prefix(kind);
    bool takes_id = prefix[strlen(prefix) - 1] == '/';
    int len = snprintf(out, FACT_KEY_SIZE, "%s%.*s", prefix, TEXT_ARGS(id));
    if (takes_id == (id.len > 0) && len > 0 && len < FACT_KEY_SIZE)
        return true;
    out[0] = '\0';
    return false;
}
