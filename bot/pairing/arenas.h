/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arenas.h - the arena tournaments that we play in: those of the configuration, those joined by
 * command, and those of teams (team_arenas.h). What each needs next is arena.h's; what we are in is
 * remembered over restarts. Pairings come as games like any other; so do those of an arena that was
 * joined elsewhere with our account, which is not followed. Loop thread only. */
#pragma once
#include "bot/config/tournament_spec.h"
#include "bot/account/context.h"
#include "bot/policy/arena.h"

typedef struct Arenas Arenas;

enum { ARENAS_MAX = 32 };

/* What became of an operator's request; `text` is lent for the call: the tournament's name, or why
 * not. */
typedef void ArenasDone(void *user, bool ok, const char *text);

/* `context` is lent and outlives it. `on_change` comes when arenas_are_on() has changed. */
bool arenas_new(Arenas **out, const BotContext *context, void (*on_change)(void *user), void *user,
                Error *err) MUST_CHECK;

/* Nothing more is called; we stay in the arenas joined. The memory goes in close callbacks (I8).
 * NULL is fine. */
void arenas_close(Arenas *arenas);

/* The account is known: joins what is wanted, returns to what was remembered. Again after a reload
 * of the configuration: leaves what it has joined and does not name any more. */
void arenas_follow(Arenas *arenas);

/* The archive's facts were read late: returns to what else was remembered. */
void arenas_recall(Arenas *arenas);

/* By hand; `done` comes once, from the loop. A request to join that the server has not answered
 * stays, is tried again, and can be taken back by leaving. False and an Error in words for the
 * operator.
 */
bool arenas_join(Arenas *arenas, const TournamentSpec *spec, ArenasDone *done, void *user,
                 Error *err) MUST_CHECK;
bool arenas_leave(Arenas *arenas, const TournamentSpec *spec, ArenasDone *done, void *user,
                  Error *err) MUST_CHECK;

/* One of a team's list, with its times (monotonic): joined like one of the configuration, and left
 * when that names the team no more. Nothing if it is here already. */
void arenas_join_for_team(Arenas *arenas, const TournamentSpec *spec, int64_t starts_ms,
                          int64_t ends_ms);

/* True if it is here: to join, joined, left by command, or refused by the server. */
bool arenas_knows(Arenas *arenas, const char *id);

/* How many of those to join or joined run at some time from `starts_ms` to `ends_ms`. */
int arenas_at_once(const Arenas *arenas, int64_t starts_ms, int64_t ends_ms);

/* What the event stream says of any game. */
void arenas_game_started(Arenas *arenas, const GameInfo *info);
void arenas_game_finished(Arenas *arenas, const GameInfo *info);

/* Some game of ours is over and its slot free: perhaps one of theirs. */
void arenas_slot_freed(Arenas *arenas);

/* True while pairings may come, or soon will. */
bool arenas_are_on(const Arenas *arenas);

/* Calls for each to join or joined; `name` is "" until it is known. */
void arenas_each(const Arenas *arenas,
                 void (*on_arena)(void *user, const char *id, const char *name, const Arena *arena),
                 void *user);
