/* SPDX-License-Identifier: GPL-3.0-or-later */
/* player_profiles.h - the accounts of those who challenge us, fetched in the background where the
 * configuration needs them. One request for each player, however often they challenge us. An answer
 * is kept for an hour, a failure for a minute. No answer is waited for longer than five seconds. A
 * crowd of strangers is no reason to ask for all of them: 30 at once, and then one in two seconds.
 * Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/policy/accept.h"

typedef struct PlayerProfiles PlayerProfiles;

typedef struct {
    int games;          /* of all kinds */
    int64_t created_ms; /* Unix */
} PlayerProfile;

typedef void PlayerProfilesOnAnswer(void *user, const char *id);

/* `context` is lent and outlives it. */
bool player_profiles_new(PlayerProfiles **out, const BotContext *context,
                         PlayerProfilesOnAnswer *on_answer, void *user, Error *err) MUST_CHECK;

/* Nothing more is called. NULL is fine. */
void player_profiles_close(PlayerProfiles *profiles);

/* Of the user with this id (lower case); *out is written when it is known. */
ProfileState player_profiles_find(const PlayerProfiles *profiles, Text id, PlayerProfile *out);

/* False: so many were asked for of late that one more must not be. */
bool player_profiles_may_ask(const PlayerProfiles *profiles);

/* Asks, unless a question is under way: then, and on true, on_answer comes once, not from inside
 * the call. False: it cannot be asked for now, and is PROFILE_MISSING. */
bool player_profiles_ask(PlayerProfiles *profiles, Text id);
