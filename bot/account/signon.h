/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signon.h - the question to the server: who are we, and may we play? Asked at the start until it
 * is answered, at growing distances; and again when the server seems to deny us. Its answer also
 * tells whether our clock is right: one that is wrong by more than a day is warned of, once.
 * Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/lichess/account.h"

typedef struct Signon Signon;

typedef struct {
    void (*on_ready)(void *user, const AccountCheck *check); /* once */
    void (*on_waiting)(void *user); /* logged; no word on the account yet, asked again later */
    void (*on_refused)(void *user); /* logged; asking again is hopeless */
    void *user;
} SignonCallbacks;

/* Asks from the loop's next turn on. `context` is lent and outlives it; `seed` for the jitter. */
bool signon_new(Signon **out, const BotContext *context, uint64_t seed,
                const SignonCallbacks *callbacks, Error *err) MUST_CHECK;

typedef enum { SIGNON_DENIED, SIGNON_CLOCK_SET } SignonDoubt;

/* The server has denied us somewhere, or our clock was set: looks again after a pause. Only a
 * second denial calls on_refused, and after SIGNON_DENIED that is the next one. Before on_ready,
 * and while such a look is under way, this does nothing. */
void signon_confirm(Signon *signon, SignonDoubt doubt);

/* Nothing more is called. The memory goes in close callbacks (I8). NULL is fine. */
void signon_close(Signon *signon);
