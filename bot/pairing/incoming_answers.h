/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming_answers.h - our answers to challenges: acceptances, which are sent again when they get
 * lost, and refusals, which are not. A part of pairing.h. Pure.
 *
 *   the server's answer to an acceptance        what becomes of the challenge
 *   done                                        its slot is kept for the game's start
 *   no: to this challenge, or the day's limit   forgotten, its slot is free
 *   no: a scope, a ban; not now: the token,
 *   a limit                                     waits again at its old place, for 5 s at least
 *   not now: lost, a broken server              sent again after 1 s; after three tries it waits */
#pragma once
#include "bot/pairing/pairing_step.h"

/* The challenge, which holds a slot, is accepted. */
void incoming_accept(PairStep *step, const char *id);

/* Is it too early for any answer, by the server's limits? */
int64_t incoming_limited_ms(const PairStep *step);

/* Nothing while a limit holds: the challenge goes by itself. */
void incoming_refuse(PairStep *step, const char *id, DeclineReason reason);

/* The challenge is no more: it is not accepted any more. */
void incoming_drop_acceptance(PairStep *step, const char *id);

/* Was it refused by us, or our acceptance by the server? Such a one may still be listed. */
bool incoming_was_answered(const Incoming *incoming, const char *id);

/* Inputs. True when a slot has become free. */
bool incoming_accept_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer) MUST_CHECK;
void incoming_refusal_answered(PairStep *step, const char *id, const ApiAnswer *answer);
void incoming_answers_time(PairStep *step);

int64_t incoming_answers_next_at_ms(const Incoming *incoming);
