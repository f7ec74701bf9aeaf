/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gameclock.h - a game's clocks, and the part of them that the engine gets. Pure values and
 * arithmetic in 64 bits: "unlimited" arrives as 2147483647 ms, so that sums in 32 would overflow.
 * Every `now_ms` is clock_now_ms()'s time. */
#pragma once
#include "bot/game/lag.h"
#include "bot/lichess/event.h"
#include "engine/core/piece.h"
#include "engine/search/engine.h"

typedef struct {
    bool has_clock; /* false: correspondence or unlimited, times are deadlines and no budget */
    bool running;   /* both sides have moved once; before that no time is lost, */
    bool may_run;   /* … unless somebody else starts the clocks, of which no line tells */
    int64_t time_ms[COLOUR_COUNT]; /* as the server wrote them at `at_ms` */
    int64_t increment_ms[COLOUR_COUNT];
    int64_t at_ms;       /* when the line with these times came in */
    bool has_both_times; /* in that line; else they follow from the one before */
} GameClock;

/* The clocks of a new game: what its time control gives, until a line has more. */
void gameclock_start(GameClock *clock, const GameFull *full, int64_t now_ms);

/* A line of the game. Times that it lacks go on from those before, when `to_move` was on the move.
 */
void gameclock_read(GameClock *clock, const GameState *state, Colour to_move, int64_t now_ms);

/* What `colour` has left at `now_ms` when `to_move` is on the move; never below zero. INT64_MAX
 * without a clock. */
int64_t gameclock_left_ms(const GameClock *clock, Colour colour, Colour to_move, int64_t now_ms);

/* Without a clock: when `us`, on the move, must have moved; INT64_MAX: there is no such time. */
int64_t gameclock_deadline_ms(const GameClock *clock, Colour us);

/* What a search depends on besides the clock. */
typedef struct {
    uint32_t move;   /* its number; 1 is the first */
    Lag lag;         /* of each move's way */
    int64_t most_ms; /* where there is no clock */
    int64_t by_ms;   /* a time by which the move must have been made, clock or not; 0: none */
} ClockUse;

/* The limits of a search that `us` starts at `now_ms`, on top of those in `limits` (the operator's
 * nodes, depth, movetime). The engine gets our clock less the lag of this and of further moves, so
 * that it can use up the rest. A game is taken to last 70 moves, and at least 40 more. Without a
 * clock the search is given `most_ms`, or less near the deadline. */
void gameclock_limit(const GameClock *clock, Colour us, int64_t now_ms, const ClockUse *use,
                     SearchLimits *limits);

/* How long a request may take, beyond the line's lag, before it counts as lost when we have
 * `left_ms`: long on a long clock, but a second try must fit. */
int64_t gameclock_request_timeout_ms(int64_t left_ms, Lag lag);

/* When a search that `us` starts at `now_ms` is stopped if it has not answered by itself: only a
 * starved or broken engine gets there. */
int64_t gameclock_stop_early_at_ms(const GameClock *clock, Colour us, int64_t now_ms,
                                   const ClockUse *use);
