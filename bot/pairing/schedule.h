/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - challenges, and matches of several games, that are to begin at a set time.
 * An appointment outlives the process as a fact. When its time has come we challenge; where that is
 * not possible (no slot, no server, nobody answers) again and again for a quarter of an hour. The
 * games of a match follow each other, with the colours changed over. Loop thread only. */
#pragma once
#include "bot/account/event_stream.h"
#include "bot/pairing/outgoing.h"

typedef struct Agenda Agenda;

enum { AGENDA_MAX = 16, AGENDA_GAMES_MOST = 100 };

typedef struct {
    int number; /* 1..AGENDA_MAX, the operator's name for it */
    OutgoingWish wish;
    int64_t at_unix_s;
    int games;                  /* still to be asked for */
    char playing[GAME_ID_SIZE]; /* the game of the match that goes on; "": none */
} Appointment;

/* All is lent and outlives it. Takes up what an earlier process left. */
bool agenda_new(Agenda **out, const BotContext *context, Outgoing *outgoing,
                const EventStream *events, Error *err) MUST_CHECK;

/* What is planned stays so. NULL is fine. */
void agenda_close(Agenda *agenda);

/* Returns the number; 0 and an Error when there is no room. */
int agenda_add(Agenda *agenda, const OutgoingWish *wish, int64_t at_unix_s, int games,
               Error *err) MUST_CHECK;

/* False: there is none of that number. A game that goes on is played. */
bool agenda_drop(Agenda *agenda, int number);

/* Has an appointment begun, or is one so near that no other game should be sought? */
bool agenda_is_near(const Agenda *agenda);

/* In the order of their times. */
void agenda_each(const Agenda *agenda, void (*on_each)(void *user, const Appointment *appointment),
                 void *user);
