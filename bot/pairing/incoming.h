/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming.h - the desk where challenges arrive: each is judged, then accepted, queued or declined;
 * where its challenger's account matters, after a look at that.
 * An acceptance that got lost is sent again, and forgotten with its challenge. The slots are the
 * ledger's. Loop thread only. */
#pragma once
#include "bot/account/context.h"

typedef struct Desk Desk;

/* `context` is lent and outlives the desk. */
bool desk_new(Desk **out, const BotContext *context, Error *err) MUST_CHECK;

/* Drops what is under way; the memory goes when the loop has let go of it. NULL is fine. */
void desk_close(Desk *desk);

/* A challenge (EVENT_CHALLENGE) has come, or was told again. */
void desk_consider(Desk *desk, const Event *event);

/* The challenge was withdrawn. */
void desk_withdraw(Desk *desk, const Challenge *challenge);

/* A slot of the ledger may have become free: whoever waits is accepted. */
void desk_slot_freed(Desk *desk);

/* The context says that no more games with a clock are to begin: who waits for one is told so. */
void desk_send_away(Desk *desk, const char *why);
