/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ending.h - when the daemon ends: at once by a signal, by a drain when the games are over, or when
 * the time to play has passed. Games that still run stay resumable. Private to bot/daemon. Loop
 * thread only. */
#pragma once
#include "bot/daemon/daemon.h"
#include "bot/daemon/parts.h"

/* `on_ending` comes from the loop, once, when all is to be closed. */
void ending_init(Daemon *daemon, PlayTime time, uv_timer_cb on_ending);

/* SIGTERM and SIGINT end the daemon from here on; after the first that does, a second one ends the
 * process, whatever hangs. */
bool ending_watch_signals(Daemon *daemon, Error *err) MUST_CHECK;

/* The time to play ends at context.ends_ms. */
void ending_await(Daemon *daemon);

/* Ends everything with this status, but from the loop, not from inside whatever calls this. A
 * second call does nothing. */
void ending_stop(Daemon *daemon, ExitStatus status);

/* No game begins any more, and the daemon ends when none with a clock runs, or at `deadline_ms`
 * (INT64_MAX: none). `user` is the Daemon. */
void ending_drain(void *user, int64_t deadline_ms);

/* Takes a drain back, and the end of the time to play with it. False and an Error where nothing
 * drains, or it is too late. */
bool ending_resume(void *user, Error *err);

void ending_close_handles(Daemon *daemon);
