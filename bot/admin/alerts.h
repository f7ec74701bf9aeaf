/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alerts.h - tells the operator what can't wait until somebody looks: by the program and to the
 * address of [notify]. Each kind is sent at a limited rate (alert_limit.h). What lasts (offline, no
 * archive, a token near its end) is looked at every few seconds, said again once a period, and its
 * end is told as well. Everything is in the log too. Loop thread only. */
#pragma once
#include "bot/account/event_stream.h"
#include "bot/account/token_expiry.h"

typedef struct Alerts Alerts;

enum { ALERT_TEXT_SIZE = 400 };

/* Lent, and outlives it. */
typedef struct {
    const BotContext *context;
    const EventStream *events;
    const TokenExpiry *token;
    const char *config_file;
} AlertsView;

bool alerts_new(Alerts **out, const AlertsView *view, Error *err) MUST_CHECK;

/* Something has happened; `text` says what, in one sentence without a full stop. */
void alerts_raise(Alerts *alerts, AlertKind kind, const char *text);

/* What alerts_raise() sends: one line of JSON, which the caller frees. "text" begins with who we
 * are, and "content" is the same, as Discord wants it. `account`: "" before it is known. `count`:
 * how many alerts it stands for. NULL without memory. */
char *alert_json(const char *kind, const char *account, const char *text, int count,
                 int64_t unix_s);

/* The memory goes in close callbacks (I8). NULL is fine. */
void alerts_close(Alerts *alerts);
