/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token_expiry.h - how long our token is still good, asked once a day, and a warning in the log each
 * day of its last two weeks. Loop thread only. */
#pragma once
#include "bot/account/context.h"

typedef struct TokenWatch TokenWatch;

/* `context` is lent and outlives it. */
bool token_watch_new(TokenWatch **out, const BotContext *context, Error *err) MUST_CHECK;

/* Nothing more is called. The memory goes when the loop has let go of it. NULL is fine. */
void token_watch_close(TokenWatch *watch);

/* Unix time; -1: not known, or it does not expire by itself. */
int64_t token_watch_expires_s(const TokenWatch *watch);
