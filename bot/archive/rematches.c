/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/rematches.h"

#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

enum { IN_A_ROW_MOST = 1000000 };

#define LIFE_MS DURATION_DAY_MS

static int count_of(const Archive *archive, Text game_id)
{
    char key[FACT_KEY_SIZE];
    int64_t count = 0;
    if (!game_id_is_valid(game_id))
        return 0;
    int len = snprintf(key, sizeof key, "rematch/%.*s", TEXT_ARGS(game_id));
    bool fits = len > 0 && (size_t)len < sizeof key;
    const char *text = fits ? facts_get(archive_facts(archive), key, clock_unix_ms()) : NULL;
    bool ok = text && number_parse(text, strlen(text), 1, IN_A_ROW_MOST, &count, NULL);
    return ok ? (int)count : 0;
}

int rematches_before(const Archive *archive, const Challenge *challenge)
{
    return count_of(archive, challenge->rematch_of);
}

void rematches_note(Archive *archive, const Challenge *challenge)
{
    char key[FACT_KEY_SIZE], value[24];
    if (challenge->rematch_of.len == 0)
        return;
    int len = snprintf(key, sizeof key, "rematch/%s", challenge->id);
    int value_len = snprintf(value, sizeof value, "%d", rematches_before(archive, challenge) + 1);
    if (len > 0 && (size_t)len < sizeof key && value_len > 0)
        archive_put_fact(archive, key, value, clock_unix_ms() + LIFE_MS);
}

bool rematches_has(const Archive *archive, const char *game_id)
{
    return count_of(archive, text_of(game_id)) > 0;
}
