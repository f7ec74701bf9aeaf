/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchmaker.h - challenges other bots while we are idle ([matchmaking]). seek.h decides whom and
 * to what. This does the rest: the list of bots online, their status, the challenge, and what to
 * remember of its end, across restarts. Only when no game runs, no challenge waits and nothing is
 * scheduled for the next minutes. A human's challenge ends it. Loop thread only. */
#pragma once
#include "bot/pairing/schedule.h"
#include "bot/account/event_stream.h"
#include "bot/pairing/outgoing.h"
#include "bot/policy/day_count.h"

typedef struct Matchmaker Matchmaker;

/* All is lent and outlives it. `seed` for the draws. */
bool matchmaker_new(Matchmaker **out, const BotContext *context, Outgoing *outgoing,
                    const Schedule *schedule, const EventStream *events, uint64_t seed,
                    Error *err) MUST_CHECK;

/* Facts of the archive's file that were read late: what was spent comes on top. */
void matchmaker_recall(Matchmaker *matchmaker, const Facts *stored);

/* NULL is fine. */
void matchmaker_close(Matchmaker *matchmaker);

/* A game has begun: the day's budget of games between bots counts it, by whichever side it was
 * proposed. */
void matchmaker_game_started(Matchmaker *matchmaker, const GameInfo *info);

/* For the status. */
typedef struct {
    const char *doing;              /* lent: "off", "playing", "waiting", … */
    int games_today, games_allowed; /* against bots */
    int credits_today, credits_allowed;
} MatchmakerStatus;
MatchmakerStatus matchmaker_status(const Matchmaker *matchmaker);
