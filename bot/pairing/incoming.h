/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming.h - the incoming where challenges arrive: each is judged, then accepted, queued or
 * declined; where its challenger's account matters, after a look at that. An acceptance that got
 * lost is sent again, and forgotten with its challenge. The slots are the slots's. Loop thread
 * only. */
#pragma once
#include "bot/account/context.h"

typedef struct Incoming Incoming;

/* `context` is lent and outlives the incoming. */
bool incoming_new(Incoming **out, const BotContext *context, Error *err) MUST_CHECK;

/* Drops what is under way; the memory goes when the loop has let go of it. NULL is fine. */
void incoming_close(Incoming *incoming);

/* A challenge (EVENT_CHALLENGE) has come, or was told again. */
void incoming_consider(Incoming *incoming, const Event *event);

/* The challenge was withdrawn. */
void incoming_withdraw(Incoming *incoming, const Challenge *challenge);

/* A slot of the slots may have become free: whoever waits is accepted. */
void incoming_slot_freed(Incoming *incoming);

/* The context says that no more games with a clock are to begin: who waits for one is told so. */
void incoming_send_away(Incoming *incoming, const char *why);
