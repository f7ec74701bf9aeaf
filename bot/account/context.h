/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - what the parts of the daemon share, and whom they tell when the account is refused.
 * The daemon owns it; the parts are lent it and read it anew each time. Loop thread only. */
#pragma once
#include "bot/archive/archive.h"
#include "bot/config/config.h"
#include "bot/game/game.h"
#include "bot/game/slots.h"
#include "bot/lichess/api.h"
#include "bot/pairing/remote_lists.h"
#include "bot/ops/counters.h"
#include "bot/ops/log.h"
#include "bot/policy/visits.h"
#include "bot/source/source.h"

#include <uv.h>

typedef struct {
    uv_loop_t *loop;
    const Config *config; /* a reload changes it, and its lists: keep nothing that it lends */
    Log *log;
    Api *api;
    Source *source;
    Ratelimit *limit;
    Ledger *ledger;
    Visits *visits;
    const Lists *lists;
    Archive *archive;
    Counters *counters;
    bool is_draining;            /* no more games are to begin */
    bool is_in_arena;            /* none with a clock but those of a tournament */
    char our_id[GAME_USER_SIZE]; /* "" until the account is known; no event comes before that */

    /* The server does not take our token (any more): only the operator can help. */
    void (*on_denied)(void *user, const ApiAnswer *answer);
    void *user;
} BotContext;

static inline bool answer_is_denial(const ApiAnswer *answer)
{
    return answer->outcome == API_UNAUTHORIZED || answer->outcome == API_FORBIDDEN;
}
