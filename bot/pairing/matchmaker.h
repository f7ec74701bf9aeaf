/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchmaker.h - challenges other bots while nobody plays with us ([matchmaking]).
 * Whom and to what is seek.h's; here is the way there: the list of bots online, their status, the
 * challenge, and what its end teaches, which outlives a restart. Only when no game runs and nobody
 * waits, and nothing is planned for the next minutes; a human who comes meanwhile ends it. Loop
 * thread only. */
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

/* NULL is fine. */
void matchmaker_close(Matchmaker *matchmaker);

/* A game has begun: the day's budget of games between bots counts it, whoever asked for it. */
void matchmaker_game_started(Matchmaker *matchmaker, const GameInfo *info);

/* For the status. */
typedef struct {
    const char *doing;              /* lent: "off", "playing", "waiting", … */
    int games_today, games_allowed; /* against bots */
    int credits_today, credits_allowed;
} MatchmakerStatus;
MatchmakerStatus matchmaker_status(const Matchmaker *matchmaker);
