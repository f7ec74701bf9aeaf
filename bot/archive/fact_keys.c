/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/fact_keys.h"

#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <string.h>

/* The server's own waits are of a week at most, an arena is planned two months before, and matches
 * within a year. */
static const struct {
    const char *prefix;
    int days_most;
} kinds[FACT_KIND_COUNT] = {
    [FACT_ARENA] = { "arena/", 60 },
    [FACT_ASKED_ENGINE] = { "asked/", 366 },
    [FACT_BOT_GAMES] = { "day/bot-games", 2 },
    [FACT_CREDITS] = { "day/credits", 2 },
    [FACT_DECLINED] = { "declined/", 30 },
    [FACT_DRAW] = { "draw/", 1 },
    [FACT_ENGINE] = { "engine", 366 },
    [FACT_EVAL_HISTORY] = { "outlook/", 15 },
    [FACT_GAMES_WITH] = { "games/", 90 },
    [FACT_LAG] = { "lag", 30 },
    [FACT_LEVEL] = { "level/", 366 },
    [FACT_LIMIT] = { "limit/", 7 },
    [FACT_LIST] = { "list/", 366 },
    [FACT_OPENS] = { "opens/event-stream", 1 },
    [FACT_PAIR] = { "pair", 1 },
    [FACT_RUNS] = { "runs/", 30 },
    [FACT_SCHEDULED] = { "scheduled/", 366 + 7 },
    [FACT_PACE] = { "pace/", 366 },
    [FACT_PLAYED] = { "met/", 30 },
    [FACT_QUOTA] = { "spent/", 7 },
    [FACT_REMATCH] = { "rematch/", 1 },
    [FACT_VISIT] = { "visit/", 1 },
    [FACT_WISHED_LEVEL] = { "wished/", 1 },
};

static bool takes_id(FactKind kind)
{
    const char *prefix = kinds[kind].prefix;
    return prefix[strlen(prefix) - 1] == '/';
}

const char *fact_prefix(FactKind kind)
{
    return kinds[kind].prefix;
}

FactKind fact_kind_of(const char *key)
{
    for (FactKind kind = 0; kind < FACT_KIND_COUNT; kind++)
        if (takes_id(kind) ? strncmp(key, kinds[kind].prefix, strlen(kinds[kind].prefix)) == 0
                           : strcmp(key, kinds[kind].prefix) == 0)
            return kind;
    return FACT_KIND_COUNT;
}

int64_t fact_life_most_ms(FactKind kind)
{
    return (kind < FACT_KIND_COUNT ? kinds[kind].days_most : kinds[FACT_SCHEDULED].days_most) *
           DURATION_DAY_MS;
}

bool fact_key_write(char out[FACT_KEY_SIZE], FactKind kind, Text id)
{
    if (takes_id(kind) == (id.len > 0) &&
        text_format_fits(out, FACT_KEY_SIZE, "%s%.*s", fact_prefix(kind), TEXT_ARGS(id)))
        return true;
    out[0] = '\0';
    return false;
}
