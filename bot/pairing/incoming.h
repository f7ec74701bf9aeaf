/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming.h - challenges to us: each is accepted, queued or declined; where the challenger's
 * account matters, after a look at that. Who waits is served when a slot is free, however long it
 * takes: the server says nothing when an owner leaves, so before one that is older than 20 s is
 * accepted we look whether it is still open. Without the scope for that it is accepted unseen, and
 * aborted soon if nobody moves (slots_game_is_unseen()). An acceptance that got lost is sent again,
 * then waits again with its place kept. Loop thread only. */
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

/* A slot may have become free: whoever waits is accepted. */
void incoming_slot_freed(Incoming *incoming);

/* The context says that no more games with a clock are to begin: who waits for one is told so. */
void incoming_send_away(Incoming *incoming, const char *why);
