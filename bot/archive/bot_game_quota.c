/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/bot_game_quota.h"

#include "engine/base/clock.h"

#include <stdio.h>

enum { USUAL_S = 3600 }; /* where the server does not say */

/* False: no user's id. */
static bool write_key(char key[FACT_KEY_SIZE], Text id)
{
    int len = snprintf(key, FACT_KEY_SIZE, "spent/%.*s", TEXT_ARGS(id));
    return id.len > 0 && len > 0 && len < FACT_KEY_SIZE;
}

bool bot_game_quota_learn(Archive *archive, const ApiAnswer *answer, const char *ours,
                          const char *theirs)
{
    char key[FACT_KEY_SIZE];
    bool is_ours = answer->status == 429;
    if ((!is_ours && answer->status != 400) || !text_starts_with(answer->limit_key, "bot.vsBot"))
        return false;
    int64_t wait_s = answer->wait_s > 0 ? answer->wait_s : USUAL_S;
    if (write_key(key, text_of(is_ours ? ours : theirs)))
        archive_put_fact(archive, key, "yes", clock_unix_ms() + wait_s * 1000);
    return true;
}

bool bot_game_quota_is_spent(const Archive *archive, Text id)
{
    char key[FACT_KEY_SIZE];
    return write_key(key, id) && facts_get(archive_facts(archive), key, clock_unix_ms()) != NULL;
}
