/* SPDX-License-Identifier: GPL-3.0-or-later */
/* incoming.h - challenges to us: each is accepted, queued or declined; where the challenger's
 * account matters, after a look at that. A queued challenge is accepted when a slot is free,
 * however long that takes. The server does not report when an owner leaves, so we check that a
 * challenge older than 20 s is still open before we accept it. Without the scope for that, or when
 * the server's list cannot be read twice in a row, it is accepted unseen, and aborted soon if the
 * opponent does not move (slots_game_is_unseen()). Until then whoever was just seen goes first. A
 * lost acceptance is sent again; then the challenge waits again at its old place. Loop thread only.
 */
#pragma once
#include "bot/account/context.h"

typedef struct Incoming Incoming;

/* `context` is lent and outlives the incoming. */
bool incoming_new(Incoming **out, const BotContext *context, Error *err) MUST_CHECK;

/* Drops what is under way; the memory goes in close callbacks (I8). NULL is fine. */
void incoming_close(Incoming *incoming);

/* A challenge (EVENT_CHALLENGE) has come, or was reported again. */
void incoming_consider(Incoming *incoming, const Event *event);

/* The event stream is open. What was challenged as it opened, or was dormant then and is open again
 * later, comes in no event: now and then the server's list is looked at, which has it. */
void incoming_stream_opened(Incoming *incoming);

/* The challenge was withdrawn. */
void incoming_withdraw(Incoming *incoming, const Challenge *challenge);

/* A slot may have become free: accepts those that wait. */
void incoming_slot_freed(Incoming *incoming);

/* The context says that no more games with a clock are to begin: declines those that wait for one.
 */
void incoming_send_away(Incoming *incoming, const char *why);
