/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bot_game_quota.h - which bots have played all games against bots that Lichess allows in a day.
 * Facts (FACT_QUOTA) keep them across restarts until that day is over. The server's refusals of
 * challenges and acceptances say so. Pure. */
#pragma once
#include "bot/lichess/api_answer.h"
#include "bot/model/ids.h"

/* What a refusal says of a bot's quota. */
typedef struct {
    const char *id; /* lent: whose it is; "": not known */
    int64_t for_ms; /* how long it stays spent */
} BotGameQuota;

/* `answer` came to a challenge between `ours` and `theirs` (user ids). True if it was refused for
 * that reason: with a 429 it is we who have played enough, with a 400 the other one. */
bool bot_game_quota_read(BotGameQuota *out, const ApiAnswer *answer, const char *ours,
                         const char *theirs);
