/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outgoing.h - challenges of ours, from the request until they are a game or nothing. Each holds a
 * slot. A stream keeps it alive, so that a busy player may answer later. An unanswered one is
 * cancelled, because it could still become a game. A part of pairing.h. Pure.
 *
 *   state       event                                   next state
 *   FREE        outgoing_begin()                        CREATING
 *   CREATING    the server has made it                  OPEN
 *   CREATING    outgoing_withdraw()                     WITHDRAWN
 *   CREATING    refused, limited, lost                  FREE, ended
 *   WITHDRAWN   the server has made it                  CANCELLING
 *   WITHDRAWN   refused, limited, lost                  FREE, ended
 *   OPEN        event stream: accepted, declined        FREE, ended
 *   OPEN        event stream: cancelled                 FREE, ended
 *   OPEN        its own stream: accepted, declined      ANSWERED
 *   OPEN        its own stream ends                     OPEN, due as soon as events would tell
 *   OPEN        time-out, outgoing_withdraw()           CANCELLING
 *   ANSWERED    the game is there, or time-out          FREE, ended
 *   CANCELLING  answered, or accepted or declined       FREE, ended
 *
 * To cancel an accepted challenge aborts its game. So one that is ANSWERED is never cancelled, and
 * one whose own stream broke only when the event stream, open again, tells of no game. */
#pragma once
#include "bot/pairing/pairing_step.h"

enum {
    OUTGOING_AT_ONCE_MS = 20000, /* for an operator who waits for the answer */
    OUTGOING_LATER_MS = 60000,   /* the opponent may finish a game before */
};

void outgoing_init(Outgoing *outgoing);

/* Challenges, and withdraws after `timeout_ms`; the end is told by pair_end(). False and an Error
 * in words for the operator when that is not possible now: no slot, a limit, draining. */
bool outgoing_begin(PairStep *step, const ChallengeRequest *request, int64_t timeout_ms,
                    OutgoingOwner owner, Error *err) MUST_CHECK;

/* Withdraws the unanswered challenge of this owner; it still ends. */
void outgoing_withdraw(PairStep *step, OutgoingOwner owner);

/* Inputs. */
void outgoing_line(PairStep *step, uint32_t ticket, Text line);
void outgoing_stream_ended(PairStep *step, uint32_t ticket, const ApiAnswer *answer);
void outgoing_cancelled(PairStep *step, uint32_t ticket);
void outgoing_started(PairStep *step, const char *id);
void outgoing_declined(PairStep *step, const Challenge *challenge);
void outgoing_canceled(PairStep *step, const char *id);
void outgoing_time(PairStep *step);

int64_t outgoing_next_at_ms(const Outgoing *outgoing);

/* Challenges to games of the kind that are under way. */
int outgoing_count(const Outgoing *outgoing, SlotsKind kind);
