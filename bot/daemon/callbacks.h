/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callbacks.h - what happens in one part and concerns another: the callbacks of all parts. `user`
 * is the Daemon; what comes with a call is lent for it, and one that comes while the daemon
 * stops is left alone. Private to bot/daemon. Loop thread only. */
#pragma once
#include "bot/account/signon.h"
#include "bot/archive/archive.h"
#include "bot/config/settings.h"
#include "bot/game/slots.h"
#include "bot/lichess/event.h"
#include "bot/ops/clock_watch.h"
#include "bot/policy/wish.h"

/* The account. */
void daemon_on_denied(void *user, const ApiAnswer *answer);
void daemon_on_account_ready(void *user, const AccountCheck *check);
void daemon_on_account_unknown(void *user);
void daemon_on_account_refused(void *user);

/* Its event stream, and those of games. */
void daemon_on_events_open(void *user);
void daemon_on_events_lost(void *user);
void daemon_on_events_skipped(void *user);
void daemon_on_event(void *user, const Event *event);
void daemon_on_reached(void *user);
void daemon_on_missed_start(void *user);

/* Games. `fault`: whose fault lost it; NULL: nobody's, or it was not lost. */
void daemon_on_game_over(void *user, const char *game_id, const char *fault);
void daemon_on_engine_failed(void *user, const char *engine, const char *why);
bool daemon_on_wish(void *user, const GameRecord *record, const Wish *wish, Error *err);

/* Limits of the server's outlive the process as facts, in the world's time. */
void daemon_on_limited(void *user, ApiFamily family, int64_t until_ms);
void daemon_on_old_limit(void *user, const Fact *fact);

/* The archive was read after the parts were made; the clock was set, or stood still. */
void daemon_on_late_facts(void *user, const Facts *stored);
void daemon_on_clock_jump(void *user, const ClockJump *jump);

/* The configuration is to be read again. False: it has problems and nothing was changed. `lines`:
 * what the operator is told, or NULL. */
bool daemon_on_reload(void *user, Buf *lines);

SlotLimits slot_limits_of(const Config *config);
