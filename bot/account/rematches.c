/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/rematches.h"

#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

enum { IN_A_ROW_MOST = 1000000 };

#define LIFE_MS DURATION_DAY_MS

static int count_of(const Archive *archive, Text game_id)
{
    int64_t count = 0;
    const char *text =
        game_id_is_valid(game_id) ? archive_recall(archive, FACT_REMATCH, game_id) : NULL;
    bool ok = text && number_parse(text, strlen(text), 1, IN_A_ROW_MOST, &count, NULL);
    return ok ? (int)count : 0;
}

int rematches_before(const Archive *archive, const Challenge *challenge)
{
    return count_of(archive, challenge->rematch_of);
}

void rematches_note(Archive *archive, const Challenge *challenge)
{
    char value[24];
    if (challenge->rematch_of.len == 0)
        return;
    int len = snprintf(value, sizeof value, "%d", rematches_before(archive, challenge) + 1);
    if (len > 0)
        archive_remember(archive, FACT_REMATCH, text_of(challenge->id), value,
                         clock_unix_ms() + LIFE_MS);
}

bool rematches_has(const Archive *archive, const char *game_id)
{
    return count_of(archive, text_of(game_id)) > 0;
}
