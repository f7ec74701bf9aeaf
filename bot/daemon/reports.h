/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.h - what one part reports and another one is to know: the callbacks of all parts. `user`
 * is the Daemon; what comes with a report is lent for the call, and one that comes while the daemon
 * stops is left alone. Private to bot/daemon. Loop thread only. */
#pragma once
#include "bot/account/signon.h"
#include "bot/archive/archive.h"
#include "bot/config/config.h"
#include "bot/game/slots.h"
#include "bot/lichess/event.h"
#include "bot/ops/clock_watch.h"
#include "bot/policy/wish.h"

/* The account. */
void report_denied(void *user, const ApiAnswer *answer);
void report_account_ready(void *user, const AccountCheck *check);
void report_account_unknown(void *user);
void report_account_refused(void *user);

/* Its event stream, and those of games. */
void report_events_open(void *user);
void report_events_lost(void *user);
void report_events_skipped(void *user);
void report_event(void *user, const Event *event);
void report_reached(void *user);
void report_missed_start(void *user);

/* Games. `fault`: whose fault lost it; NULL: nobody's, or it was not lost. */
void report_game_over(void *user, const char *game_id, const char *fault);
void report_engine_failed(void *user, const char *engine, const char *why);
bool report_wish(void *user, const GameRecord *record, const Wish *wish, Error *err);

/* Limits of the server's outlive the process as facts, in the world's time. */
void report_limited(void *user, ApiFamily family, int64_t until_ms);
void report_old_limit(void *user, const Fact *fact);

/* The archive was read after the parts were made; the clock was set, or stood still. */
void report_late_facts(void *user, const Facts *stored);
void report_clock_jump(void *user, const ClockJump *jump);

/* The configuration is to be read again. False: it has problems and nothing was changed. `told`:
 * what the operator is told, or NULL. */
bool report_reload(void *user, Buf *told);

SlotLimits slot_limits_of(const Config *config);
