/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/player_profiles.h"

#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum {
    CACHE_MAX = 128,
    TIMEOUT_MS = 5000, /* a challenger waits for the answer */
    KNOWN_MS = 3600 * 1000,
    MISSING_MS = 60 * 1000,
    GAP_MS = 2000,  /* from one request to the next … */
    BURST_MAX = 30, /* … but for those saved up */
};

typedef struct {
    PlayerProfiles *profiles;
    char id[USER_ID_SIZE]; /* "": free */
    ProfileState state;
    PlayerProfile profile;
    ApiCall *call;    /* PROFILE_UNKNOWN: asks */
    int64_t until_ms; /* the state holds until then; while `call` asks: its timeout */
} CacheEntry;

struct PlayerProfiles {
    const BotContext *context;
    uv_timer_t timer;
    PlayerProfilesOnAnswer *on_answer;
    void *user;
    int64_t asked_ms; /* the requests so far, at their distance, last until then */
    CacheEntry cache[CACHE_MAX];
};

static void arm_timer(PlayerProfiles *profiles);

static void settle(CacheEntry *entry, ProfileState state, const char *why)
{
    PlayerProfiles *profiles = entry->profiles;
    bool is_known = state == PROFILE_KNOWN;
    char id[USER_ID_SIZE];
    memcpy(id, entry->id, sizeof id);
    entry->call = NULL;
    entry->state = state;
    entry->until_ms = clock_now_ms() + (is_known ? KNOWN_MS : MISSING_MS);
    if (is_known)
        log_debug(profiles->context->log, "profile", "told",
                  FIELDS(F("user", id), F("games", entry->profile.games),
                         F("created_ms", entry->profile.created_ms)));
    else
        log_warning(profiles->context->log, "profile", "missing",
                    FIELDS(F("user", id), F("why", why)));
    arm_timer(profiles);
    profiles->on_answer(profiles->user, id);
}

static void on_profile(void *user, const ApiAnswer *answer)
{
    CacheEntry *entry = user;
    Account account;
    Error err = { 0 };
    if (answer->outcome != API_OK) {
        settle(entry, PROFILE_MISSING, answer->reason);
        return;
    }
    if (!account_parse(&account, answer->body.at, answer->body.len, &err)) {
        settle(entry, PROFILE_MISSING, err.text);
        return;
    }
    entry->profile = (PlayerProfile){ account.games_played, account.created_ms };
    account_release(&account);
    bool is_told = entry->profile.created_ms > 0;
    settle(entry, is_told ? PROFILE_KNOWN : PROFILE_MISSING, "the answer lacks the account's data");
}

static void on_timer(uv_timer_t *timer)
{
    PlayerProfiles *profiles = timer->data;
    for (int i = 0; i < CACHE_MAX; i++) {
        CacheEntry *entry = &profiles->cache[i];
        if (!entry->call || entry->until_ms > clock_now_ms())
            continue;
        api_cancel(entry->call);
        settle(entry, PROFILE_MISSING, "no answer in time");
    }
    arm_timer(profiles);
}

static void arm_timer(PlayerProfiles *profiles)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < CACHE_MAX; i++)
        if (profiles->cache[i].call && profiles->cache[i].until_ms < next)
            next = profiles->cache[i].until_ms;
    timer_set(&profiles->timer, on_timer, next);
}

bool player_profiles_new(PlayerProfiles **out, const BotContext *context,
                         PlayerProfilesOnAnswer *on_answer, void *user, Error *err)
{
    PlayerProfiles *profiles = alloc_zeroed(sizeof *profiles, "profiles", err);
    if (!profiles)
        return false;
    profiles->context = context;
    profiles->on_answer = on_answer;
    profiles->user = user;
    for (int i = 0; i < CACHE_MAX; i++)
        profiles->cache[i].profiles = profiles;
    timer_init(context->loop, &profiles->timer, profiles);
    *out = profiles;
    return true;
}

void player_profiles_close(PlayerProfiles *profiles)
{
    if (!profiles)
        return;
    for (int i = 0; i < CACHE_MAX; i++) {
        if (profiles->cache[i].call)
            api_cancel(profiles->cache[i].call);
        profiles->cache[i].call = NULL;
    }
    timer_close(&profiles->timer);
}

static const CacheEntry *find(const PlayerProfiles *profiles, Text id)
{
    for (int i = 0; i < CACHE_MAX; i++)
        if (id.len > 0 && text_is(id, profiles->cache[i].id))
            return &profiles->cache[i];
    return NULL;
}

ProfileState player_profiles_find(const PlayerProfiles *profiles, Text id, PlayerProfile *out)
{
    const CacheEntry *entry = find(profiles, id);
    if (!entry || entry->call || entry->until_ms <= clock_now_ms())
        return PROFILE_UNKNOWN;
    if (entry->state == PROFILE_KNOWN)
        *out = entry->profile;
    return entry->state;
}

/* That of the user, or the one that can best be spared; NULL: all are being asked for. */
static CacheEntry *place_for(PlayerProfiles *profiles, Text id)
{
    CacheEntry *spare = NULL;
    for (int i = 0; i < CACHE_MAX; i++) {
        CacheEntry *entry = &profiles->cache[i];
        if (text_is(id, entry->id))
            return entry;
        if (!entry->call && (!spare || entry->until_ms < spare->until_ms))
            spare = entry;
    }
    return spare;
}

bool player_profiles_may_ask(const PlayerProfiles *profiles)
{
    return profiles->asked_ms - clock_now_ms() <= (BURST_MAX - 1) * GAP_MS;
}

bool player_profiles_ask(PlayerProfiles *profiles, Text id)
{
    const BotContext *context = profiles->context;
    CacheEntry *entry = id.len > 0 && id.len < USER_ID_SIZE ? place_for(profiles, id) : NULL;
    int64_t now = clock_now_ms();
    Error err = { 0 };
    if (!entry || entry->call)
        return entry != NULL;
    *entry = (CacheEntry){ .profiles = profiles };
    text_copy(entry->id, sizeof entry->id, id);
    profiles->asked_ms = int64_max(profiles->asked_ms, now) + GAP_MS;
    if (ratelimit_wait_ms(context->limit, FAMILY_OTHER, now) == 0)
        entry->call = api_call(context->api, ENDPOINT_USER, entry->id, on_profile, entry, &err);
    entry->state = entry->call ? PROFILE_UNKNOWN : PROFILE_MISSING;
    entry->until_ms = now + (entry->call ? TIMEOUT_MS : MISSING_MS);
    if (!entry->call)
        log_warning(
            context->log, "profile", "missing",
            FIELDS(F("user", entry->id), F("why", err.code == ERR_NONE ? "rate limit" : err.text)));
    arm_timer(profiles);
    return entry->call;
}
