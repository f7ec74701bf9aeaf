/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/archive_query.h"

#include "engine/base/duration.h"
#include "engine/base/number.h"

#include <string.h>

/* Words with a meaning of their own here. The first of each is anything. */
typedef struct {
    const char *word;
    int value;
} Choice;

static const Choice kinds[] = {
    { "", 0 },
    { "human", STORE_HUMANS },
    { "bot", STORE_BOTS },
    { NULL, 0 },
};
static const Choice outcomes[] = {
    { "", 0 }, { "won", STORE_WON }, { "drawn", STORE_DRAWN }, { "lost", STORE_LOST }, { NULL, 0 },
};
static const Choice periods[] = {
    { "", 0 }, { "7", 7 }, { "30", 30 }, { "365", 365 }, { NULL, 0 },
};

static int choose(const Choice *choices, Text word, int otherwise)
{
    for (; choices->word; choices++)
        if (text_is(word, choices->word))
            return choices->value;
    return otherwise;
}

/* What no name can be leaves it as it was. */
static void take_name(char *to, size_t size, Text value)
{
    value = text_trimmed(value, " ");
    bool is_name = value.len < size && (value.len == 0 || !memchr(value.at, '\0', value.len));
    if (is_name)
        (void)!text_copy(to, size, value);
}

void archive_query_take(ArchiveQuery *query, Text name, Text value)
{
    if (text_is(name, "opponent")) {
        take_name(query->opponent, sizeof query->opponent, value);
    } else if (text_is(name, "opening")) {
        take_name(query->opening, sizeof query->opening, value);
    } else if (text_is(name, "against")) {
        query->kind = choose(kinds, value, query->kind);
    } else if (text_is(name, "variant")) {
        query->variant = value.len > 0 ? variant_of(value) : VARIANT_UNKNOWN;
    } else if (text_is(name, "speed")) {
        query->speed = value.len > 0 ? speed_of(value) : SPEED_UNKNOWN;
    } else if (text_is(name, "result")) {
        query->outcome = choose(outcomes, value, query->outcome);
    } else if (text_is(name, "days")) {
        query->days = choose(periods, value, (int)query->days);
    } else if (text_is(name, "page")) {
        (void)!number_parse(value.at, value.len, 0, ARCHIVE_QUERY_PAGES_MAX, &query->page, NULL);
    }
}

StoreFilter archive_query_filter(const ArchiveQuery *query, int64_t now_unix_ms)
{
    return (StoreFilter){
        .opponent = query->opponent[0] != '\0' ? query->opponent : NULL,
        .opening = query->opening[0] != '\0' ? query->opening : NULL,
        .kind = query->kind,
        .variant = query->variant,
        .outcome = query->outcome,
        .speed = query->speed,
        .since_ms = query->days > 0 ? now_unix_ms - query->days * DURATION_DAY_MS : 0,
    };
}
