/* SPDX-License-Identifier: GPL-3.0-or-later */
/* challenger.h - gathers what is known of a challenger before the decision (accept.h): our games
 * with them, the lists, the day's quota of games between bots, their profile. Asks for nothing.
 * Loop thread only. */
#pragma once
#include "bot/pairing/player_profiles.h"
#include "bot/policy/accept.h"

/* Of the challenge itself only its own place among the slots is left out of the counts. */
ChallengerFacts challenger_facts(const BotContext *context, const PlayerProfiles *profiles,
                                 const Challenge *challenge);
