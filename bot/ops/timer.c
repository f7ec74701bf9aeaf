/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/timer.h"

#include "engine/base/clock.h"
#include "engine/base/duration.h"

#include <stdlib.h>

void timer_init(uv_loop_t *loop, uv_timer_t *timer, void *owner)
{
    uv_timer_init(loop, timer);
    timer->data = owner;
}

static void timer_on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void timer_close(uv_timer_t *timer)
{
    uv_close((uv_handle_t *)timer, timer_on_closed);
}

void timer_set(uv_timer_t *timer, uv_timer_cb on_time, int64_t at_ms)
{
    if (at_ms == INT64_MAX) {
        uv_timer_stop(timer);
        return;
    }
    int64_t wait_ms = duration_until(at_ms, clock_now_ms());
    uv_update_time(timer->loop); /* a timer counts from the loop's idea of now */
    uv_timer_start(timer, on_time, (uint64_t)wait_ms, 0);
}

int64_t timer_after(int64_t wait_ms)
{
    return wait_ms == INT64_MAX ? INT64_MAX : clock_now_ms() + wait_ms;
}
