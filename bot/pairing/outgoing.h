/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outgoing.h - challenges of ours, from the request until they are a game or nothing. Each holds a
 * slot. A stream keeps it alive, so that a busy player may answer later. An unanswered one is
 * cancelled, because it could still become a game. Loop thread only.
 *
 *   state       event                                   next state
 *   FREE        outgoing_challenge()                    CREATING
 *   CREATING    the server has made it                  OPEN
 *   CREATING    outgoing_withdraw()                     WITHDRAWN
 *   CREATING    refused, lost                           FREE, done
 *   WITHDRAWN   the server has made it                  CANCELLING
 *   WITHDRAWN   refused, lost                           FREE, done
 *   OPEN        event stream: accepted, declined        FREE, done
 *   OPEN        event stream: cancelled                 FREE, done
 *   OPEN        its own stream: accepted, declined      ANSWERED
 *   OPEN        time-out, outgoing_withdraw()           CANCELLING
 *   ANSWERED    the game is there, or time-out          FREE, done
 *   CANCELLING  answered, or accepted or declined       FREE, done
 *
 * To cancel an accepted challenge aborts its game. So one that is ANSWERED is never cancelled, and
 * one whose own stream broke only when the event stream, open again, tells of no game. */
#pragma once
#include "bot/account/event_stream.h"
#include "engine/core/fen.h"

typedef struct Outgoing Outgoing;

enum {
    OUTGOING_MAX = 4,
    OUTGOING_AT_ONCE_MS = 20000, /* for an operator who waits for the answer */
    OUTGOING_LATER_MS = 60000,   /* the opponent may finish a game before */
};

typedef struct {
    char opponent[USER_ID_SIZE]; /* user id */
    int base_s, increment_s;
    bool rated;
    Variant variant;
    Colour colour;      /* ours; COLOUR_NONE: drawn by the server */
    char fen[FEN_SIZE]; /* the position to begin with; "": the usual one */
    OpponentKind kind;  /* KIND_HUMAN where it is not known: those may have any slot */
} ChallengeRequest;

typedef enum {
    OUTGOING_ACCEPTED,   /* the game `id` has begun */
    OUTGOING_DECLINED,   /* see reason */
    OUTGOING_UNANSWERED, /* and withdrawn */
    OUTGOING_REFUSED,    /* by the server: this challenge; see text */
    OUTGOING_LIMITED,    /* any challenge of ours, for now: see wait_ms */
    OUTGOING_LOST,       /* the request, or its answer */
} OutgoingEnd;

/* Lent for the call. */
typedef struct {
    OutgoingEnd end;
    const char *id; /* "": none was made */
    DeclineReason reason;
    const char *text;
    int64_t wait_ms; /* OUTGOING_LIMITED: as long as is known; 0: not known */
} OutgoingResult;

typedef void OutgoingDone(void *user, const OutgoingResult *result);

/* All is lent and outlives it. */
bool outgoing_new(Outgoing **out, const BotContext *context, const EventStream *events,
                  Error *err) MUST_CHECK;

/* Nothing more is called. NULL is fine. */
void outgoing_close(Outgoing *outgoing);

/* Challenges, and withdraws after `timeout_ms`; `done` comes once, from the loop. False and an
 * Error in words for the operator when that is not possible now: no slot, a limit, draining. */
bool outgoing_challenge(Outgoing *outgoing, const ChallengeRequest *request, int64_t timeout_ms,
                        OutgoingDone *done, void *user, Error *err) MUST_CHECK;

/* Withdraws the unanswered challenge of `user`; `done` still comes. */
void outgoing_withdraw(Outgoing *outgoing, void *user);

/* What the event stream says. */
void outgoing_started(Outgoing *outgoing, const char *id);
void outgoing_declined(Outgoing *outgoing, const Challenge *challenge);
void outgoing_canceled(Outgoing *outgoing, const char *id);

/* Challenges under way. */
int outgoing_count(const Outgoing *outgoing);
