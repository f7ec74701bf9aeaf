/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/rematches.h"

#include "bot/archive/fact_keys.h"
#include "engine/base/number.h"

#include <string.h>

enum { IN_A_ROW_MOST = 1000000 };

static int count_of(const Facts *facts, Text game_id, int64_t unix_ms)
{
    char key[FACT_KEY_SIZE];
    int64_t count = 0;
    bool has_key = game_id_is_valid(game_id) && fact_key_write(key, FACT_REMATCH, game_id);
    const char *text = has_key ? facts_get(facts, key, unix_ms) : NULL;
    bool ok = text && number_parse(text, strlen(text), 1, IN_A_ROW_MOST, &count, NULL);
    return ok ? (int)count : 0;
}

int rematches_before(const Facts *facts, Text rematch_of, int64_t unix_ms)
{
    return count_of(facts, rematch_of, unix_ms);
}

bool rematches_has(const Facts *facts, const char *game_id, int64_t unix_ms)
{
    return count_of(facts, text_of(game_id), unix_ms) > 0;
}
