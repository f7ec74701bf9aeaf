/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arenas.h - the arena tournaments that we play in: those of the configuration, those joined by
 * command, and those of teams (team_arenas.h). policy/arena.h decides each one's next request.
 * The arenas that we are in are remembered over restarts. Pairings come as games like any other; so
 * do those of an arena that was joined elsewhere with our account, which is not followed. While
 * pairings may come, no other game with a clock begins. A part of pairing.h. Pure. */
#pragma once
#include "bot/pairing/pairing_step.h"

void arenas_init(Arenas *arenas);

/* Inputs. The account is known: joins what is wanted, returns to what was remembered. Again after a
 * reload of the configuration: leaves what it has joined and does not name any more. */
void arenas_follow(PairStep *step);

/* The archive's facts were read late: returns to what else was remembered. */
void arenas_recall(PairStep *step);

/* By hand; answered once, by a later step's PAIR_DO_TELL_ARENA. A request to join that the server
 * has not answered stays, is tried again, and can be taken back by leaving. False and an Error in
 * words for the operator. */
bool arenas_join(PairStep *step, const ArenaSpec *spec, uint32_t order, Error *err) MUST_CHECK;
bool arenas_leave(PairStep *step, const ArenaSpec *spec, uint32_t order, Error *err) MUST_CHECK;

/* What the event stream says of any game. */
void arenas_game_started(PairStep *step, const GameInfo *info);
void arenas_game_finished(PairStep *step, const GameInfo *info);

void arenas_answered(PairStep *step, uint32_t ticket, PairAsk ask, const ApiAnswer *answer);

/* Before every input: when pairings may come now, sends away who waits; when none come any more,
 * serves them. */
void arenas_turn(PairStep *step);

/* After every input but an order: asks what is due, drops what is over, and the same. */
void arenas_tend(PairStep *step);

int64_t arenas_next_at_ms(const Arenas *arenas);

/* True while pairings may come, or soon will. */
bool arenas_are_on(const Arenas *arenas);

/* One of a team's list, with its times (monotonic): joined like one of the configuration, and left
 * when that names the team no more. Nothing if it is here already. */
void arenas_join_for_team(PairStep *step, const ArenaSpec *spec, int64_t starts_ms,
                          int64_t ends_ms);

/* True if it is here: to join, joined, left by command, or refused by the server. */
bool arenas_know(const PairStep *step, const char *id);

/* How many of those to join or joined run at some time from `starts_ms` to `ends_ms`. */
int arenas_at_once(const Arenas *arenas, int64_t starts_ms, int64_t ends_ms);

/* Calls for each to join or joined. */
void arenas_each(const Arenas *arenas, void (*on_each)(void *user, const ArenaEntry *entry),
                 void *user);
