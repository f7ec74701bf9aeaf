/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - challenges, and matches of several games, that are to begin at a set time. A
 * scheduled match outlives the process as a fact. At its time we challenge. When that fails (no
 * slot, no server, no answer), we try again for a quarter of an hour. While the server takes no
 * challenges of ours, the match is put off for as long. The games of a match follow each other,
 * with colours swapped. A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

/* Takes up what an earlier process left. */
void schedule_init(Schedule *schedule, const PairView *view, PairTime now);

/* Returns the number; 0 and an Error when there is no room. */
int schedule_add(PairStep *step, const ChallengeRequest *request, int64_t at_unix_s, int games,
                 Error *err) MUST_CHECK;

/* False: there is none of that number. A game that goes on is played. */
bool schedule_drop(PairStep *step, int number);

/* Inputs. Matches that were read late are played, too, under another number where theirs is taken.
 */
void schedule_recall(PairStep *step, const Facts *stored);
void schedule_challenge_ended(PairStep *step, const OutgoingResult *result);
void schedule_time(PairStep *step);

/* Has a match begun, or is one so near that no other game should be sought? */
bool schedule_is_near(const Schedule *schedule, int64_t unix_ms);

/* In the order of their times. */
void schedule_each(const Schedule *schedule,
                   void (*on_each)(void *user, const ScheduledMatch *match), void *user);
