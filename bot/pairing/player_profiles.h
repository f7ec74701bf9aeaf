/* SPDX-License-Identifier: GPL-3.0-or-later */
/* player_profiles.h - what Lichess tells of the accounts of those who challenge us, asked for in
 * the background, where the configuration wants to know. One question for each of them, however
 * often he challenges us; the answer is remembered for an hour, that there was none for a minute.
 * Nobody is waited for longer than five seconds. Loop thread only. */
#pragma once
#include "bot/account/context.h"

typedef struct PlayerProfiles PlayerProfiles;

typedef struct {
    int games;          /* of all kinds */
    int64_t created_ms; /* Unix */
} PlayerProfile;

typedef enum {
    PROFILE_KNOWN,
    PROFILE_ASKED,   /* on_told will come for him, once, not from inside the call */
    PROFILE_MISSING, /* could not be had: do without */
} PlayerProfileState;

typedef void PlayerProfilesOnAnswer(void *user, const char *id);

/* `context` is lent and outlives it. */
bool player_profiles_new(PlayerProfiles **out, const BotContext *context,
                         PlayerProfilesOnAnswer *on_told, void *user, Error *err) MUST_CHECK;

/* Nothing more is called. NULL is fine. */
void player_profiles_close(PlayerProfiles *profiles);

/* Of the user with this id (lower case); *out is written when it is known. */
PlayerProfileState player_profiles_get(PlayerProfiles *profiles, Text id, PlayerProfile *out);
