/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.h - one arena tournament, from the wish to join to its end: what is to be done next.
 *
 * We join as soon as we may, and again once it has begun: Lichess pairs those who show the
 * tournament's page, or for a minute after a request to join. So while we wait for a pairing we
 * check whether we are still in, and if so join again. After an expulsion or a withdrawal we do not
 * return by ourselves. Most refusals are for a time only (credits, a pause, a ban of minutes): we
 * look and ask again then. Pure: the answers and the time (monotonic) come in.
 *
 *   phase    event                                          next phase
 *   WANTED   joined                                         IN
 *   WANTED   refused for a time                             WANTED, asks again then
 *   WANTED   refused for good; over, missing, no bots       OUT
 *   IN       over, missing, withdrawn, thrown out           OUT
 *   WANTED   arena_leave()                                  LEAVING
 *   IN       arena_leave()                                  LEAVING
 *   LEAVING  withdrawn; over, missing                       OUT */
#pragma once
#include "bot/lichess/arena_info.h"
#include "bot/model/words.h"

enum {
    ARENA_AGAIN_MS = 50000, /* from one request to be paired to the next */
    /* Lichess allows 30 in 10 minutes: one every 30 s, and 8 more where we have saved them up. */
    ARENA_PACE_MS = 30000,
    ARENA_BURST_MS = 8 * ARENA_PACE_MS,
    ARENA_AHEAD_MS = 60000, /* before the start other games are not begun any more */
    ARENA_LOOK_MS = 600000, /* between looks at one that has not begun */
};

typedef enum {
    ARENA_WANTED, /* not joined yet */
    ARENA_IN,
    ARENA_LEAVING,
    ARENA_OUT, /* for good: see why */
} ArenaPhase;

typedef struct {
    ArenaPhase phase;
    ArenaPhase before;          /* the phase before this one */
    const char *why;            /* ARENA_OUT: lent by who said so */
    bool is_over;               /* ARENA_OUT: it has ended for all */
    bool is_known;              /* was looked at, so these two hold: */
    int64_t starts_ms, ends_ms; /* INT64_MAX: missing */
    bool was_shown;             /* the server has shown us among the players */
    int64_t looked_ms;          /* INT64_MIN: never */
    bool must_look;             /* something has happened */
    int64_t paced_ms;           /* the requests so far, at their pace, last until then */
    int64_t again_ms;           /* ARENA_IN: when to ask for a pairing; ARENA_WANTED: to join */
} Arena;

/* One to join, or (`is_in`) one that we were in before a restart. */
void arena_init(Arena *arena, bool is_in);

/* Its times by a list, until its own page says more. */
void arena_expect(Arena *arena, int64_t starts_ms, int64_t ends_ms);

/* The answer of GET /api/tournament/{id}; NULL: there is no such tournament. */
void arena_looked(Arena *arena, const ArenaInfo *info, int64_t now_ms);

/* A request to join was granted. */
void arena_joined(Arena *arena, int64_t now_ms);

typedef enum {
    ARENA_NAMED, /* by the operator */
    ARENA_FOUND, /* in a team's list: whose conditions we do not meet now are not asked again */
} ArenaOrigin;

/* For how long an answer to a request to join says no; 0: for good. `status` and `reason` are the
 * server's, `told_s` its time, 0: none. */
int64_t arena_refusal_ms(int status, const char *reason, int64_t told_s, ArenaOrigin origin);

/* A request to join was refused, for `wait_ms` or (0) for good; `why` is lent for as long as the
 * arena is. One who was in stays until a look says otherwise. */
void arena_refused(Arena *arena, const char *why, int64_t wait_ms, int64_t now_ms);

/* We are to leave; we have left. */
void arena_leave(Arena *arena);
void arena_left(Arena *arena);

/* A game of ours in it has ended. */
void arena_game_over(Arena *arena, GameStatus status, bool we_have_lost, int64_t now_ms);

typedef enum { ARENA_WAIT, ARENA_LOOK, ARENA_JOIN, ARENA_WITHDRAW } ArenaAction;

/* What to do; ARENA_WAIT: nothing before *at_ms. `is_playing`: a game of it is on. */
ArenaAction arena_next(const Arena *arena, bool is_playing, int64_t now_ms, int64_t *at_ms);

/* True while pairings may come, or soon will: other games are to make room. */
bool arena_is_on(const Arena *arena, int64_t now_ms);

/* When that may change by itself; INT64_MAX: never. */
int64_t arena_turns_on_ms(const Arena *arena, int64_t now_ms);

const char *arena_phase_name(ArenaPhase phase);
