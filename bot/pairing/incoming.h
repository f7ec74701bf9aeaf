/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming.h - challenges to us: each is accepted, queued (waiting.h) or declined; where the
 * challenger's account matters, after a look at that. A part of pairing.h. Pure.
 *
 *   input                        verdict of accept.h          what becomes of it
 *   a challenge, or its account  ignore                       nothing
 *                                decline                      refused
 *                                accept, the account counts   held until that is known
 *                                accept                       takes a slot, or waits for one
 *   a challenge held             the server tells, or 5 s     judged again
 *   a newer one of the player    any                          the older one is forgotten
 *   withdrawn                    -                            forgotten */
#pragma once
#include "bot/pairing/pairing_step.h"

void incoming_release(Incoming *incoming);

/* An opponent wishes for this game, and has a minute to accept our challenge to it. False and an
 * Error for the log where a challenge of theirs would be declined, or ours is not possible now. */
bool incoming_fulfil(PairStep *step, const ChallengeRequest *request, const Player *player,
                     Error *err) MUST_CHECK;

/* Inputs: EVENT_CHALLENGE, new or reported again; one from the server's list, of which perhaps no
 * event has told; the account of this user, known or known to be missing; a withdrawal. */
void incoming_consider(PairStep *step, const Event *event);
void incoming_found(PairStep *step, const Event *event);
void incoming_profile_known(PairStep *step, const char *user_id);
void incoming_withdraw(PairStep *step, const Challenge *challenge);
