/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer.h - a loop's timer, set by the clock that everything else here counts by. */
#pragma once
#include <stdint.h>
#include <uv.h>

/* Not set yet; `timer->data` is `owner`, for the callback. */
void timer_init(uv_loop_t *loop, uv_timer_t *timer, void *owner);

/* Stops it for good. When the loop has let go of it, its owner, in which it lies, is freed. */
void timer_close(uv_timer_t *timer);

/* Calls `on_time` when clock_now_ms() has reached `at_ms` (the past: in the loop's next turn);
 * INT64_MAX: not at all. Replaces what was set before. Loop thread only. */
void timer_set(uv_timer_t *timer, uv_timer_cb on_time, int64_t at_ms);

/* The time to set for a wait from now; INT64_MAX: never. */
int64_t timer_after(int64_t wait_ms);
