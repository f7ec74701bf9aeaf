/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing.h - whom we play and when, as a state machine that does nothing by itself.
 *
 * pairing_step() takes one input: an event, the answer to a request, an order of the operator's, or
 * the time. It changes the state and writes down what is to be done. Pure: no I/O, no clock. So
 * every order of events can be tested exactly. pairing_shell.h carries the effects out.
 *
 *   part          answers for                                       its states stand in
 *   incoming      challenges to us: refused, waiting, accepted      incoming.h, incoming_answers.h
 *   outgoing      challenges of ours until they are games           outgoing.h
 *   schedule      matches that are to begin at a set time           schedule.h
 *   matchmaker    challenges to other bots while we are idle        matchmaker.h
 *   arenas        arena tournaments: joined, played in, left        policy/arena.h
 *   team_arenas   which of a team's arenas to join                  -
 *
 * The slots are shared with the games that run: a step takes and frees those of challenges, the
 * set of games those of games. A challenge holds a slot from the step that begins it to the step
 * that ends it. Each challenge ends once, and its owner learns of the end in the same step.
 *
 * An answer means one of three things (ApiWord): done, no by the server's own word, or not now. A
 * "not now" is never taken for a "no": nothing is dropped, and nothing is learnt of anybody. */
#pragma once
#include "bot/pairing/pairing_state.h"

/* `slots` is lent and outlives it, `seed` is for draws. Takes up what the facts of `view` say. */
void pairing_init(Pairing *pairing, Slots *slots, const PairView *view, uint64_t seed,
                  PairTime now);
void pairing_release(Pairing *pairing);

/* Takes one input, empties *todo and fills it. Pointers in it are lent until the next step. */
void pairing_step(Pairing *pairing, const PairInput *input, const PairView *view, PairTime now,
                  PairEffects *todo);

/* When PAIR_ON_TIME is due next; INT64_MAX: never by itself. */
int64_t pairing_next_at_ms(const Pairing *pairing, const PairView *view, PairTime now);
