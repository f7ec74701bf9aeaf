/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/ratelimit.h"

#include "engine/base/duration.h"

#include <assert.h>

enum {
    FULL_MINUTE_MS = 60000,
    DAY_MS = 24 * 60 * FULL_MINUTE_MS,
    FIRST_PROBE_MS = 1000,
    LONGEST_CREATE_MS = 600000
};

void ratelimit_init(Ratelimit *limit)
{
    *limit = (Ratelimit){ 0 };
    for (int family = 0; family < FAMILY_COUNT; family++)
        limit->blocked_until_ms[family] = INT64_MIN;
}

static void block(Ratelimit *limit, ApiFamily family, int64_t until_ms)
{
    if (limit->blocked_until_ms[family] < until_ms)
        limit->blocked_until_ms[family] = until_ms;
}

static bool is_blocked(const Ratelimit *limit, ApiFamily family, int64_t now_ms)
{
    return limit->blocked_until_ms[family] > now_ms;
}

int64_t ratelimit_restore(Ratelimit *limit, ApiFamily family, int64_t wait_ms, int64_t now_ms)
{
    bool is_create = family == FAMILY_CREATE || family == FAMILY_CREATE_BOT;
    int64_t longest_ms = is_create ? DAY_MS : FULL_MINUTE_MS;
    wait_ms = int64_clamp(wait_ms, 0, longest_ms);
    block(limit, family, now_ms + wait_ms);
    if (family == FAMILY_MOVE)
        limit->move_limited_at_ms = now_ms + wait_ms - FULL_MINUTE_MS;
    return wait_ms;
}

/* 1, 2, 4, 8 and then 10 minutes. */
static int64_t next_create_wait_ms(Ratelimit *limit)
{
    int64_t wait_ms = (int64_t)FULL_MINUTE_MS << limit->creates_refused;
    if (wait_ms >= LONGEST_CREATE_MS)
        return LONGEST_CREATE_MS;
    limit->creates_refused++;
    return wait_ms;
}

void ratelimit_note(Ratelimit *limit, ApiFamily family, int64_t wait_s, bool keyed, int64_t now_ms)
{
    int64_t usual_ms = family == FAMILY_CREATE ? next_create_wait_ms(limit) : FULL_MINUTE_MS;
    int64_t wait_ms = wait_s > 0 ? wait_s * 1000 : usual_ms;
    if (family == FAMILY_MOVE) {
        if (!is_blocked(limit, FAMILY_MOVE, now_ms))
            limit->move_probes = 0;
        limit->move_limited_at_ms = now_ms;
    }
    block(limit, family, now_ms + wait_ms);
    if (!keyed && family != FAMILY_CREATE) {
        block(limit, FAMILY_CHALLENGE, now_ms + FULL_MINUTE_MS);
        block(limit, FAMILY_CREATE, now_ms + FULL_MINUTE_MS);
        block(limit, FAMILY_OTHER, now_ms + FULL_MINUTE_MS);
    }
}

void ratelimit_note_passed(Ratelimit *limit, ApiFamily family)
{
    if (family == FAMILY_MOVE) {
        limit->blocked_until_ms[FAMILY_MOVE] = INT64_MIN;
        limit->move_probes = 0;
    }
    if (family == FAMILY_CREATE)
        limit->creates_refused = 0;
}

void ratelimit_note_lost(Ratelimit *limit, ApiFamily family)
{
    if (family == FAMILY_MOVE && limit->move_probes > 0)
        limit->move_probes--;
}

int64_t ratelimit_wait_ms(const Ratelimit *limit, ApiFamily family, int64_t now_ms)
{
    assert(family != FAMILY_MOVE);
    return duration_until(limit->blocked_until_ms[family], now_ms);
}

int64_t ratelimit_create_wait_ms(const Ratelimit *limit, Challenged whom, int64_t now_ms)
{
    int64_t anybody_ms = ratelimit_wait_ms(limit, FAMILY_CREATE, now_ms);
    int64_t bot_ms = ratelimit_wait_ms(limit, FAMILY_CREATE_BOT, now_ms);
    return whom == CHALLENGED_BOT && bot_ms > anybody_ms ? bot_ms : anybody_ms;
}

int64_t ratelimit_move_wait_ms(const Ratelimit *limit, int64_t clock_ms, int64_t reserve_ms,
                               int64_t now_ms)
{
    if (!is_blocked(limit, FAMILY_MOVE, now_ms))
        return 0;
    int64_t whole = limit->blocked_until_ms[FAMILY_MOVE] - now_ms;
    bool survives = clock_ms - reserve_ms > whole;
    if (survives || limit->move_probes >= RATELIMIT_PROBES_MAX)
        return whole;
    /* 1, 2, 4, 8 s after the latest refusal. */
    int64_t probe_at = limit->move_limited_at_ms + ((int64_t)FIRST_PROBE_MS << limit->move_probes);
    return int64_min(duration_until(probe_at, now_ms), whole);
}

void ratelimit_note_move_sent(Ratelimit *limit, int64_t now_ms)
{
    if (is_blocked(limit, FAMILY_MOVE, now_ms))
        limit->move_probes++;
}

const char *api_family_name(ApiFamily family)
{
    static const char *const names[FAMILY_COUNT] = {
        [FAMILY_MOVE] = "move",
        [FAMILY_ACCOUNT] = "account",
        [FAMILY_EVENT_STREAM] = "event-stream",
        [FAMILY_GAME_STREAM] = "game-stream",
        [FAMILY_CHALLENGE] = "challenge",
        [FAMILY_CREATE] = "create",
        [FAMILY_CREATE_BOT] = "create-bot",
        [FAMILY_OTHER] = "other",
        [FAMILY_CHAT] = "chat",
    };
    return names[family];
}
