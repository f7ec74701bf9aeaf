/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauntlet_plan.h - a match against each player of a list: what was played, who is next, and the
 * table. Pure; Unix milliseconds come in. */
#pragma once
#include "bot/archive/stats.h"
#include "bot/config/user_list.h"
#include "bot/model/record.h"
#include "bot/pairing/challenge_request.h"

enum {
    GAUNTLET_PLAYERS_MAX = 256,
    GAUNTLET_TRIES = 3,                 /* refusals in a row after which a player is left out */
    GAUNTLET_RETRY_MS = 10 * 60 * 1000, /* from a refusal to the next try */
};

typedef struct {
    char id[USER_ID_SIZE];
    int games, won, drawn, lost;
    int64_t rating_sum; /* of the opponent's in these games; 0: none was known */
    int rated_games;    /* those in which it was */
    int refusals;       /* in a row */
    int64_t next_ms;    /* not to be asked before */
} GauntletPlayer;

typedef struct {
    int count, games;         /* players; games with each */
    ChallengeRequest request; /* of whom and with which colour is set by gauntlet_next() */
    GauntletPlayer players[GAUNTLET_PLAYERS_MAX];
} Gauntlet;

/* False and an Error: nobody, or too many. */
bool gauntlet_init(Gauntlet *out, const UserList *list, const ChallengeRequest *request, int games,
                   Error *err) MUST_CHECK;

/* Counts a finished game, if it is one of these: the same clock, variant and mode, with one of the
 * players, and not aborted. */
void gauntlet_count(Gauntlet *gauntlet, const GameRecord *record);

/* Is this one of the players? */
bool gauntlet_has(const Gauntlet *gauntlet, const char *id);

/* Forgets what was counted, before all is counted anew. */
void gauntlet_recount(Gauntlet *gauntlet);

/* The player who is next, those with the fewest games first; NULL: nobody now. *at_ms: until when
 * to wait then; INT64_MAX: it is over. */
GauntletPlayer *gauntlet_next(Gauntlet *gauntlet, int64_t now_ms, int64_t *at_ms);

/* The challenge to that player: white and black by turns, black first where the place in the list
 * is odd. */
ChallengeRequest gauntlet_request(const Gauntlet *gauntlet, const GauntletPlayer *player);

void gauntlet_refused(GauntletPlayer *player, int64_t now_ms);
void gauntlet_accepted(GauntletPlayer *player);

/* A line for each player, in the order of the list, and one for all of them. False when `out` is
 * full. */
bool gauntlet_table(const Gauntlet *gauntlet, Buf *out) MUST_CHECK;
