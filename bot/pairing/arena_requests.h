/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena_requests.h - what an arena asks of the server, one request at a time, and what the answers
 * mean. What comes next is policy/arena.h's word. A part of pairing.h. Pure.
 *
 *   the server's answer            what becomes of the arena
 *   done; no, by its own word      policy/arena.h decides
 *   not now, or not readable       asked again after 5 s, 10 s, … 5 min, and the server's limit */
#pragma once
#include "bot/pairing/pairing_step.h"

/* Sends the request that is due. Returns when to ask again; INT64_MAX: an answer is awaited, or a
 * game's end, or the end of draining. */
int64_t arena_requests_send(PairStep *step, ArenaEntry *entry);

/* The answer to its request. */
void arena_requests_answered(PairStep *step, ArenaEntry *entry, PairAsk ask,
                             const ApiAnswer *answer);

/* Answers the operator, if he waits. */
void arena_requests_tell(PairStep *step, ArenaEntry *entry, bool is_done, const char *text);
