/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/gameclock.h"

#include "engine/base/duration.h"
#include "engine/base/minmax.h"

enum {
    BASE_ZERO_MS = 3000, /* what Lichess gives to a game without base time, or the increment */

    GAME_MOVES = 70,  /* that the lag of a game is estimated for, */
    MOVES_LEFT = 40,  /* and from anywhere at least */
    LEAST_SHARE = 20, /* of the clock is to be had for thinking, whatever the lag */

    NO_CLOCK_SHARE = 10,       /* of the time to the deadline, when that is near */
    NO_CLOCK_SLACK_MS = 10000, /* beyond the time of a search, before the search is stopped */

    TIMEOUT_MIN_MS = 1000,
    TIMEOUT_MAX_MS = 10000,
    TIMEOUT_SHARE = 20,

    STOP_EARLY_RESERVE_MS = 500,
};

/* What stands on the clock, whether or not it is a budget. */
static int64_t time_left_ms(const GameClock *clock, Colour colour, Colour to_move, int64_t now_ms)
{
    int64_t left = clock->time_ms[colour];
    bool runs = clock->running || clock->may_run;
    if (colour == to_move && runs && now_ms > clock->at_ms)
        left -= now_ms - clock->at_ms;
    return left < 0 ? 0 : left;
}

static int64_t initial_ms(const GameFull *full)
{
    int64_t base = full->time.base_s * 1000, increment = full->time.increment_s * 1000;
    if (full->time.kind == TIME_CLOCK)
        return base > 0 ? base : increment > BASE_ZERO_MS ? increment : BASE_ZERO_MS;
    return full->time.days > 0 ? full->time.days * DURATION_DAY_MS : CLOCK_UNLIMITED_MS;
}

void gameclock_start(GameClock *clock, const GameFull *full, int64_t now_ms)
{
    *clock = (GameClock){ .has_clock = full->time.kind == TIME_CLOCK, .at_ms = now_ms };
    for (int colour = WHITE; colour <= BLACK; colour++) {
        clock->time_ms[colour] = initial_ms(full);
        clock->increment_ms[colour] = full->time.increment_s * 1000;
    }
}

void gameclock_read(GameClock *clock, const GameState *state, Colour to_move, int64_t now_ms)
{
    clock->has_both_times = true;
    for (Colour colour = WHITE; colour <= BLACK; colour++) {
        bool is_there = state->time_ms[colour] >= 0;
        clock->time_ms[colour] =
            is_there ? state->time_ms[colour] : time_left_ms(clock, colour, to_move, now_ms);
        clock->has_both_times = clock->has_both_times && is_there;
        if (state->increment_ms[colour] >= 0)
            clock->increment_ms[colour] = state->increment_ms[colour];
    }
    clock->at_ms = now_ms;
    clock->running = !clock->has_clock || state->move_count >= 2;
}

int64_t gameclock_left_ms(const GameClock *clock, Colour colour, Colour to_move, int64_t now_ms)
{
    return clock->has_clock ? time_left_ms(clock, colour, to_move, now_ms) : INT64_MAX;
}

int64_t gameclock_deadline_ms(const GameClock *clock, Colour us)
{
    bool has_deadline = !clock->has_clock && clock->time_ms[us] < CLOCK_UNLIMITED_MS;
    return has_deadline ? clock->at_ms + clock->time_ms[us] : INT64_MAX;
}

/* Of several games that are due at once each takes a tenth of what is left. So the last of them
 * still has time, and no game is lost to the searches of others. */
static int64_t no_clock_movetime_ms(const GameClock *clock, Colour us, int64_t now_ms,
                                    int64_t most_ms)
{
    return int64_clamp(time_left_ms(clock, us, us, now_ms) / NO_CLOCK_SHARE, 1, most_ms);
}

/* An increment pays for lag before it does for thinking. */
static void keep_back(int64_t *time_ms, int64_t *increment_ms, const ClockUse *use)
{
    const Lag *lag = &use->lag;
    int64_t move = use->move;
    int64_t moves = move + MOVES_LEFT > GAME_MOVES ? MOVES_LEFT : GAME_MOVES - move;
    int64_t unpaid = lag->usual_ms > *increment_ms ? lag->usual_ms - *increment_ms : 0;
    int64_t rest = *time_ms - lag->worst_ms - unpaid * (moves - 1);
    int64_t least = *time_ms / LEAST_SHARE;
    *time_ms = rest > least ? rest : least;
    *increment_ms -= lag->usual_ms < *increment_ms ? lag->usual_ms : *increment_ms;
}

void gameclock_limit(const GameClock *clock, Colour us, int64_t now_ms, const ClockUse *use,
                     SearchLimits *limits)
{
    if (!clock->has_clock) {
        int64_t movetime = no_clock_movetime_ms(clock, us, now_ms, use->most_ms);
        if (limits->movetime_ms == 0 || limits->movetime_ms > movetime)
            limits->movetime_ms = movetime;
        return;
    }
    limits->has_clock = true;
    if (use->by_ms > 0) {
        int64_t left = int64_clamp(use->by_ms - now_ms - use->lag.worst_ms, 2, INT32_MAX);
        limits->movetime_ms =
            limits->movetime_ms == 0 ? left / 2 : int64_min(limits->movetime_ms, left / 2);
    }
    for (int colour = WHITE; colour <= BLACK; colour++) {
        int64_t *time = &limits->time_ms[colour];
        *time = gameclock_left_ms(clock, (Colour)colour, us, now_ms);
        limits->increment_ms[colour] = clock->increment_ms[colour];
        if ((Colour)colour == us)
            keep_back(time, &limits->increment_ms[us], use);
        *time = *time < 1 ? 1 : *time;
    }
}

int64_t gameclock_request_timeout_ms(int64_t left_ms, Lag lag)
{
    return int64_clamp(left_ms / TIMEOUT_SHARE, TIMEOUT_MIN_MS, TIMEOUT_MAX_MS) + lag.worst_ms;
}

int64_t gameclock_stop_early_at_ms(const GameClock *clock, Colour us, int64_t now_ms,
                                   const ClockUse *use)
{
    if (!clock->has_clock) {
        int64_t timeout =
            2 * no_clock_movetime_ms(clock, us, now_ms, use->most_ms) + NO_CLOCK_SLACK_MS;
        int64_t half = time_left_ms(clock, us, us, now_ms) / 2;
        return now_ms + (timeout < half ? timeout : half);
    }
    int64_t left = gameclock_left_ms(clock, us, us, now_ms);
    if (use->by_ms > 0)
        left = int64_clamp(use->by_ms - now_ms, 0, left);
    int64_t reserve = 2 * use->lag.worst_ms + STOP_EARLY_RESERVE_MS;
    return now_ms + left - (reserve < left / 2 ? reserve : left / 2);
}
