/* SPDX-License-Identifier: GPL-3.0-or-later */
/* challenger.h - gathers what is known of a challenger before the decision (accept.h): our games
 * with them, the lists, the day's quota of games between bots, their profile. Asks for nothing.
 * A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"
#include "bot/policy/accept.h"

/* Of the challenge itself only its own place among the slots is left out of the counts. */
ChallengerFacts challenger_facts(const PairStep *step, const Challenge *challenge);
