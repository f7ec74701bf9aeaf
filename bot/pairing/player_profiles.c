/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/player_profiles.h"

#include "bot/ops/timer.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_MAX = 128,
    PATIENCE_MS = 5000, /* a challenge with a clock lives 20 s */
    KNOWN_MS = 3600 * 1000,
    MISSING_MS = 60 * 1000,
};

typedef struct {
    PlayerProfiles *profiles;
    char id[USER_ID_SIZE]; /* "": free */
    PlayerProfileState state;
    PlayerProfile profile;
    ApiCall *call;    /* PROFILE_ASKED */
    int64_t until_ms; /* what the state says holds; PROFILE_ASKED: our patience */
} Kept;

struct PlayerProfiles {
    const BotContext *context;
    uv_timer_t timer;
    PlayerProfilesOnAnswer *on_told;
    void *user;
    Kept kept[KEPT_MAX];
};

static void arm_timer(PlayerProfiles *profiles);

static void settle(Kept *kept, PlayerProfileState state, const char *why)
{
    PlayerProfiles *profiles = kept->profiles;
    bool is_known = state == PROFILE_KNOWN;
    char id[USER_ID_SIZE];
    memcpy(id, kept->id, sizeof id);
    kept->call = NULL;
    kept->state = state;
    kept->until_ms = clock_now_ms() + (is_known ? KNOWN_MS : MISSING_MS);
    if (is_known)
        log_debug(profiles->context->log, "profile", "told user=%s games=%d created_ms=%lld", id,
                  kept->profile.games, (long long)kept->profile.created_ms);
    else
        log_warning(profiles->context->log, "profile", "missing user=%s why=%s", id, why);
    arm_timer(profiles);
    profiles->on_told(profiles->user, id);
}

static void on_answer(void *user, const ApiAnswer *answer)
{
    Kept *kept = user;
    Account account;
    Error err = { 0 };
    if (answer->outcome != API_OK) {
        settle(kept, PROFILE_MISSING, answer->reason);
        return;
    }
    if (!account_parse(&account, answer->body.at, answer->body.len, &err)) {
        settle(kept, PROFILE_MISSING, err.text);
        return;
    }
    kept->profile = (PlayerProfile){ account.games_played, account.created_ms };
    account_release(&account);
    bool is_told = kept->profile.created_ms > 0;
    settle(kept, is_told ? PROFILE_KNOWN : PROFILE_MISSING, "the answer lacks what is asked");
}

static void on_timer(uv_timer_t *timer)
{
    PlayerProfiles *profiles = timer->data;
    for (int i = 0; i < KEPT_MAX; i++) {
        Kept *kept = &profiles->kept[i];
        if (!kept->call || kept->until_ms > clock_now_ms())
            continue;
        api_cancel(kept->call);
        settle(kept, PROFILE_MISSING, "no answer in time");
    }
    arm_timer(profiles);
}

static void arm_timer(PlayerProfiles *profiles)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < KEPT_MAX; i++)
        if (profiles->kept[i].call && profiles->kept[i].until_ms < next)
            next = profiles->kept[i].until_ms;
    timer_set(&profiles->timer, on_timer, next);
}

bool player_profiles_new(PlayerProfiles **out, const BotContext *context,
                         PlayerProfilesOnAnswer *on_told, void *user, Error *err)
{
    PlayerProfiles *profiles = calloc(1, sizeof *profiles);
    if (!profiles) {
        error_set(err, ERR_MEMORY, "no memory for profiles");
        return false;
    }
    profiles->context = context;
    profiles->on_told = on_told;
    profiles->user = user;
    for (int i = 0; i < KEPT_MAX; i++)
        profiles->kept[i].profiles = profiles;
    uv_timer_init(context->loop, &profiles->timer);
    profiles->timer.data = profiles;
    *out = profiles;
    return true;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void player_profiles_close(PlayerProfiles *profiles)
{
    if (!profiles)
        return;
    for (int i = 0; i < KEPT_MAX; i++) {
        if (profiles->kept[i].call)
            api_cancel(profiles->kept[i].call);
        profiles->kept[i].call = NULL;
    }
    uv_close((uv_handle_t *)&profiles->timer, on_timer_closed);
}

/* His, or the one that can best be spared for him; NULL: all are being asked for. */
static Kept *place_for(PlayerProfiles *profiles, Text id)
{
    Kept *spare = NULL;
    for (int i = 0; i < KEPT_MAX; i++) {
        Kept *kept = &profiles->kept[i];
        if (text_is(id, kept->id))
            return kept;
        if (!kept->call && (!spare || kept->until_ms < spare->until_ms))
            spare = kept;
    }
    return spare;
}

static bool ask(PlayerProfiles *profiles, Kept *kept, Text id)
{
    const BotContext *context = profiles->context;
    int64_t now = clock_now_ms();
    Error err = { 0 };
    *kept = (Kept){ .profiles = profiles };
    memcpy(kept->id, id.at, id.len);
    if (ratelimit_wait_ms(context->limit, FAMILY_REST, now) == 0)
        kept->call = api_user(context->api, kept->id, on_answer, kept, &err);
    kept->state = kept->call ? PROFILE_ASKED : PROFILE_MISSING;
    kept->until_ms = now + (kept->call ? PATIENCE_MS : MISSING_MS);
    if (!kept->call)
        log_warning(context->log, "profile", "missing user=%s why=%s", kept->id,
                    err.code == ERR_NONE ? "rate limit" : err.text);
    arm_timer(profiles);
    return kept->call;
}

PlayerProfileState player_profiles_get(PlayerProfiles *profiles, Text id, PlayerProfile *out)
{
    assert(id.len > 0);
    Kept *kept = id.len < USER_ID_SIZE ? place_for(profiles, id) : NULL;
    if (!kept)
        return PROFILE_MISSING;
    bool is_his = text_is(id, kept->id);
    bool holds = is_his && (kept->call || kept->until_ms > clock_now_ms());
    if (!holds)
        return ask(profiles, kept, id) ? PROFILE_ASKED : PROFILE_MISSING;
    if (kept->state == PROFILE_KNOWN)
        *out = kept->profile;
    return kept->state;
}
