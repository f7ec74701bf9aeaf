/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchmaker.h - challenges other bots while we are idle ([matchmaking]). seek.h decides whom and
 * to what. This does the rest: the list of bots online, their status, the challenge, and what to
 * remember of its end, across restarts. Only when no more games run than [matchmaking]
 * during_games, no challenge waits and nothing is scheduled for the next minutes. A human's
 * challenge ends it. A part of pairing.h. Pure.
 *
 *   state      event                                        next state
 *   NOTHING    idle, with a list younger than half an hour  STATUS
 *   NOTHING    idle, without one                            ACCOUNT
 *   NOTHING    idle, a pair's second game is owed           CHALLENGE
 *   ACCOUNT    our ratings are there                        LIST
 *   LIST       the list is there                            READ
 *   READ       all of its lines are read                    STATUS
 *   STATUS     a candidate is free                          CHALLENGE
 *   CHALLENGE  the challenge has ended                      NOTHING
 *   any        an answer is missing, or nobody suits        NOTHING, again after a while */
#pragma once
#include "bot/pairing/pairing_step.h"

/* `seed` for the draws. */
void matchmaker_init(Matchmaker *matchmaker, const PairView *view, uint64_t seed, PairTime now);
void matchmaker_release(Matchmaker *matchmaker);

/* Inputs. A new game counts in the day's budget of games between bots, by whichever side it was
 * proposed. What was spent by facts that were read late comes on top. */
void matchmaker_answer(PairStep *step, uint32_t ticket, const ApiAnswer *answer);
void matchmaker_challenge_ended(PairStep *step, const OutgoingResult *result);
void matchmaker_game_started(PairStep *step, const GameInfo *info);
void matchmaker_recall(PairStep *step, const Facts *stored);
void matchmaker_time(PairStep *step);

/* For the status. */
typedef struct {
    const char *doing;              /* lent: "off", "playing", "waiting", … */
    int games_today, games_allowed; /* against bots */
    int credits_today, credits_allowed;
} MatchmakerStatus;
MatchmakerStatus matchmaker_status(const Matchmaker *matchmaker, const Config *config,
                                   int64_t unix_ms);
