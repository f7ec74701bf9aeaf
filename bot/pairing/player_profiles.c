/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/player_profiles.h"

#include "bot/lichess/account.h"
#include "bot/lichess/online_bots.h"
#include "engine/base/duration.h"
#include "engine/base/minmax.h"

#include <string.h>

enum {
    TIMEOUT_MS = 5000, /* a challenger waits for the answer */
    KNOWN_MS = 3600 * 1000,
    MISSING_MS = 60 * 1000,
    GAP_MS = 2000,  /* from one request to the next … */
    BURST_MAX = 30, /* … but for those saved up */
};

static void note_missing(PairStep *step, const ProfileEntry *entry, const char *why)
{
    PairNote note = { .kind = PAIR_NOTE_PROFILE_MISSING };
    memcpy(note.user, entry->id, sizeof note.user);
    pair_note(step, &note, why);
}

static void note_told(PairStep *step, const ProfileEntry *entry)
{
    PairNote note = { .kind = PAIR_NOTE_PROFILE_TOLD,
                      .count = entry->profile.games,
                      .time_ms = entry->profile.created_ms };
    memcpy(note.user, entry->id, sizeof note.user);
    pair_note(step, &note, "");
}

static void end_question(PairStep *step, ProfileEntry *entry, ProfileState state, const char *why)
{
    bool is_known = state == PROFILE_KNOWN;
    entry->ticket = 0;
    entry->state = state;
    entry->until_ms = step->now.ms + (is_known ? KNOWN_MS : MISSING_MS);
    if (is_known)
        note_told(step, entry);
    else
        note_missing(step, entry, why);
}

/* By what the biography says, where nothing better is known. */
static void learn_engine(PairStep *step, const ProfileEntry *entry, const ApiAnswer *answer)
{
    OnlineBot person;
    char engine[ENGINE_NAME_SIZE];
    if (!pair_recall(step, FACT_RUNS, text_of(entry->id)) &&
        online_bot_parse(&person, answer->body.at, answer->body.len, NULL) &&
        engine_names_find(step->view->engine_names, text_of(person.bio), engine))
        pair_remember(step, FACT_RUNS, text_of(entry->id), engine,
                      step->now.unix_ms + ENGINE_NAME_LIFE_DAYS * DURATION_DAY_MS);
}

static void read_answer(PairStep *step, ProfileEntry *entry, const ApiAnswer *answer)
{
    Account account;
    Error err = { 0 };
    if (answer->outcome != API_OK) {
        end_question(step, entry, PROFILE_MISSING, answer->reason);
        return;
    }
    if (!account_parse(&account, answer->body.at, answer->body.len, &err)) {
        end_question(step, entry, PROFILE_MISSING, err.text);
        return;
    }
    learn_engine(step, entry, answer);
    entry->profile = (PlayerProfile){ account.games_played, account.created_ms };
    account_release(&account);
    bool has_age = entry->profile.created_ms > 0;
    end_question(step, entry, has_age ? PROFILE_KNOWN : PROFILE_MISSING,
                 "the answer lacks the account's data");
}

bool player_profiles_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer,
                              char id[USER_ID_SIZE])
{
    for (int i = 0; i < PROFILES_MAX; i++) {
        ProfileEntry *entry = &step->pairing->profiles.entries[i];
        if (entry->ticket != ticket)
            continue;
        read_answer(step, entry, answer);
        memcpy(id, entry->id, USER_ID_SIZE);
        return true;
    }
    return false;
}

bool player_profiles_expire(PairStep *step, char id[USER_ID_SIZE])
{
    for (int i = 0; i < PROFILES_MAX; i++) {
        ProfileEntry *entry = &step->pairing->profiles.entries[i];
        if (entry->ticket == 0 || entry->until_ms > step->now.ms)
            continue;
        pair_hang_up(step, &entry->ticket);
        end_question(step, entry, PROFILE_MISSING, "no answer in time");
        memcpy(id, entry->id, USER_ID_SIZE);
        return true;
    }
    return false;
}

int64_t player_profiles_next_at_ms(const PlayerProfiles *profiles)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < PROFILES_MAX; i++)
        if (profiles->entries[i].ticket != 0)
            next = int64_min(next, profiles->entries[i].until_ms);
    return next;
}

ProfileState player_profiles_find(const PairStep *step, Text id, PlayerProfile *out)
{
    for (int i = 0; i < PROFILES_MAX && id.len > 0; i++) {
        const ProfileEntry *entry = &step->pairing->profiles.entries[i];
        if (!text_is(id, entry->id))
            continue;
        if (entry->ticket != 0 || entry->until_ms <= step->now.ms)
            return PROFILE_UNKNOWN;
        if (entry->state == PROFILE_KNOWN)
            *out = entry->profile;
        return entry->state;
    }
    return PROFILE_UNKNOWN;
}

/* That of the user, or the one that can best be spared; NULL: all are being asked for. */
static ProfileEntry *place_for(PlayerProfiles *profiles, Text id)
{
    ProfileEntry *spare = NULL;
    for (int i = 0; i < PROFILES_MAX; i++) {
        ProfileEntry *entry = &profiles->entries[i];
        if (text_is(id, entry->id))
            return entry;
        if (entry->ticket == 0 && (!spare || entry->until_ms < spare->until_ms))
            spare = entry;
    }
    return spare;
}

bool player_profiles_may_ask(const PairStep *step)
{
    return step->pairing->profiles.asked_ms - step->now.ms <= (BURST_MAX - 1) * GAP_MS;
}

bool player_profiles_ask(PairStep *step, Text id)
{
    PlayerProfiles *profiles = &step->pairing->profiles;
    ProfileEntry *entry = id.len > 0 && id.len < USER_ID_SIZE ? place_for(profiles, id) : NULL;
    int64_t now = step->now.ms;
    if (!entry || entry->ticket != 0)
        return entry != NULL;
    *entry = (ProfileEntry){ .state = PROFILE_UNKNOWN, .until_ms = now + TIMEOUT_MS };
    (void)!text_copy(entry->id, sizeof entry->id, id); /* fits */
    profiles->asked_ms = int64_max(profiles->asked_ms, now) + GAP_MS;
    if (ratelimit_wait_ms(step->view->limit, FAMILY_OTHER, now) > 0) {
        end_question(step, entry, PROFILE_MISSING, "rate limit");
        return false;
    }
    PairRequest *request = pair_request(step, PAIR_ASK_PROFILE, "");
    memcpy(request->user, entry->id, sizeof request->user);
    entry->ticket = request->ticket;
    return true;
}
