/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - challenges, and matches of several games, that are to begin at a set time. A
 * scheduled match outlives the process as a fact. At its time we challenge. When that fails (no
 * slot, no server, no answer), we try again for a quarter of an hour. While the server takes no
 * challenges of ours, the match is put off for as long. The games of a match follow each other,
 * with colours swapped. Loop thread only. */
#pragma once
#include "bot/archive/facts.h"
#include "bot/account/event_stream.h"
#include "bot/pairing/outgoing.h"

typedef struct Schedule Schedule;

enum { SCHEDULE_MAX = 16, SCHEDULE_GAMES_MOST = 100 };

typedef struct {
    int number; /* 1..SCHEDULE_MAX, the operator's name for it */
    ChallengeRequest request;
    int64_t at_unix_s;
    int games;                  /* still to be asked for */
    char playing[GAME_ID_SIZE]; /* the game of the match that goes on; "": none */
} ScheduledMatch;

/* All is lent and outlives it. Takes up what an earlier process left. */
bool schedule_new(Schedule **out, const BotContext *context, Outgoing *outgoing,
                  const EventStream *events, Error *err) MUST_CHECK;

/* Facts of the archive's file that were read late: their matches are played, too, under another
 * number where theirs is taken. */
void schedule_recall(Schedule *schedule, const Facts *stored);

/* What is scheduled stays so. NULL is fine. */
void schedule_close(Schedule *schedule);

/* Returns the number; 0 and an Error when there is no room. */
int schedule_add(Schedule *schedule, const ChallengeRequest *request, int64_t at_unix_s, int games,
                 Error *err) MUST_CHECK;

/* False: there is none of that number. A game that goes on is played. */
bool schedule_drop(Schedule *schedule, int number);

/* Has a match begun, or is one so near that no other game should be sought? */
bool schedule_is_near(const Schedule *schedule);

/* In the order of their times. */
void schedule_each(const Schedule *schedule,
                   void (*on_each)(void *user, const ScheduledMatch *match), void *user);
