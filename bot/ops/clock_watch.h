/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock_watch.h - notices that the machine slept, or that somebody has set its clock.
 * clock_now_ms() stands still in a sleep, and what it counts is late afterwards; connections have
 * mostly died. Looks once a second. Loop thread only. */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>
#include <uv.h>

typedef struct {
    int64_t awake_ms; /* CLOCK_MONOTONIC: without sleeps */
    int64_t up_ms;    /* CLOCK_BOOTTIME: with them */
    int64_t unix_ms;  /* CLOCK_REALTIME */
} ClockReading;

typedef struct {
    int64_t slept_ms;
    int64_t set_ms; /* how far the clock was set; negative: back */
} ClockJump;

enum { CLOCK_JUMP_MIN_MS = 5000 }; /* shorter sleeps and smaller corrections do no harm */

/* What happened between two readings. A part that is too small counts as 0; false: both are. Pure.
 */
bool clock_jump_between(const ClockReading *before, const ClockReading *after, ClockJump *jump);

typedef struct ClockWatch ClockWatch;
typedef void ClockWatchOnJump(void *user, const ClockJump *jump);

bool clock_watch_new(ClockWatch **out, uv_loop_t *loop, ClockWatchOnJump *on_jump, void *user,
                     Error *err) MUST_CHECK;

/* Nothing more is called. The memory goes in close callbacks (I8). NULL is fine. */
void clock_watch_close(ClockWatch *watch);
