/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/clock_watch.h"

#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <time.h>

enum { LOOK_MS = 1000 };

struct ClockWatch {
    uv_timer_t timer;
    ClockReading last;
    ClockWatchOnJump *on_jump;
    void *user;
};

static int64_t unless_small(int64_t ms)
{
    return ms > -CLOCK_JUMP_MIN_MS && ms < CLOCK_JUMP_MIN_MS ? 0 : ms;
}

bool clock_jump_between(const ClockReading *before, const ClockReading *after, ClockJump *jump)
{
    int64_t awake_ms = after->awake_ms - before->awake_ms;
    int64_t up_ms = after->up_ms - before->up_ms;
    int64_t unix_ms = after->unix_ms - before->unix_ms;
    *jump = (ClockJump){ .slept_ms = unless_small(up_ms - awake_ms),
                         .set_ms = unless_small(unix_ms - up_ms) };
    return jump->slept_ms != 0 || jump->set_ms != 0;
}

static ClockReading read_clocks(void)
{
    struct timespec up;
    clock_gettime(CLOCK_BOOTTIME, &up);
    return (ClockReading){ .awake_ms = clock_now_ms(),
                           .up_ms = (int64_t)up.tv_sec * 1000 + up.tv_nsec / 1000000,
                           .unix_ms = clock_unix_ms() };
}

static void clock_watch_on_timer(uv_timer_t *timer)
{
    ClockWatch *watch = timer->data;
    ClockReading now = read_clocks();
    ClockJump jump;
    bool has_jumped = clock_jump_between(&watch->last, &now, &jump);
    watch->last = now;
    timer_set(timer, clock_watch_on_timer, clock_now_ms() + LOOK_MS);
    if (has_jumped)
        watch->on_jump(watch->user, &jump);
}

bool clock_watch_new(ClockWatch **out, uv_loop_t *loop, ClockWatchOnJump *on_jump, void *user,
                     Error *err)
{
    ClockWatch *watch = alloc_zeroed(sizeof *watch, "the watch over the clock", err);
    if (!watch)
        return false;
    watch->on_jump = on_jump;
    watch->user = user;
    watch->last = read_clocks();
    timer_init(loop, &watch->timer, watch);
    timer_set(&watch->timer, clock_watch_on_timer, clock_now_ms() + LOOK_MS);
    *out = watch;
    return true;
}

void clock_watch_close(ClockWatch *watch)
{
    if (watch)
        timer_close(&watch->timer);
}
