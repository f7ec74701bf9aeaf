/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_time.h - the clock, and the one timer of a module, in the test's hands: the linker takes
 * these definitions before the library's. For one file of a program. */
#pragma once
#include "bot/ops/timer.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <stdlib.h>

static struct {
    int64_t now_ms;
    int64_t unix_ms; /* when now_ms was 0 */
    uv_timer_t *timer;
    uv_timer_cb on_time;
    int64_t timer_ms; /* INT64_MAX: not set */
} own_time;

static inline void own_time_begin(int64_t now_ms, int64_t unix_ms)
{
    memset(&own_time, 0, sizeof own_time);
    own_time.now_ms = now_ms;
    own_time.unix_ms = unix_ms;
}

int64_t clock_now_ms(void)
{
    return own_time.now_ms;
}

int64_t clock_now_us(void)
{
    return own_time.now_ms * 1000;
}

int64_t clock_unix_ms(void)
{
    return own_time.unix_ms + own_time.now_ms;
}

void timer_init(uv_loop_t *loop, uv_timer_t *timer, void *owner)
{
    (void)loop;
    timer->data = owner;
    own_time.timer = timer;
    own_time.timer_ms = INT64_MAX;
}

void timer_set(uv_timer_t *timer, uv_timer_cb on_time, int64_t at_ms)
{
    assert_ptr_equal(timer, own_time.timer);
    own_time.on_time = on_time;
    own_time.timer_ms = at_ms;
}

void timer_close(uv_timer_t *timer)
{
    free(timer->data);
}
