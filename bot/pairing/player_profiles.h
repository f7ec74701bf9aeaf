/* SPDX-License-Identifier: GPL-3.0-or-later */
/* player_profiles.h - the accounts of those who challenge us, asked for where the configuration
 * needs them. What engine a biography names is remembered. One request for each player, however
 * often they challenge us. An answer is kept for an hour, a failure for a minute. No answer is
 * waited for longer than five seconds. A crowd of strangers is no reason to ask for all of them: 30
 * at once, and then one in two seconds. A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

/* Of the user with this id (lower case); *out is written when it is known. */
ProfileState player_profiles_find(const PairStep *step, Text id, PlayerProfile *out);

/* False: so many were asked for of late that one more must not be. */
bool player_profiles_may_ask(const PairStep *step);

/* Asks, unless a question is under way. False: it cannot be asked for now, and is PROFILE_MISSING.
 */
bool player_profiles_ask(PairStep *step, Text id);

/* Inputs. True, and the user's id: their profile is known now, or known to be missing. The second
 * is to be called until it is false. */
bool player_profiles_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer,
                              char id[USER_ID_SIZE]) MUST_CHECK;
bool player_profiles_expire(PairStep *step, char id[USER_ID_SIZE]) MUST_CHECK;

int64_t player_profiles_next_at_ms(const PlayerProfiles *profiles);
