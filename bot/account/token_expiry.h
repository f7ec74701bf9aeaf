/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token_expiry.h - how long our token is still good: one request a day, and a daily warning in the
 * log for its last two weeks. Loop thread only. */
#pragma once
#include "bot/account/context.h"

typedef struct TokenExpiry TokenExpiry;

/* `context` is lent and outlives it. */
bool token_expiry_new(TokenExpiry **out, const BotContext *context, Error *err) MUST_CHECK;

/* Nothing more is called. The memory goes in close callbacks (I8). NULL is fine. */
void token_expiry_close(TokenExpiry *watch);

/* Unix time; -1: not known, or it does not expire by itself. */
int64_t token_expiry_expires_s(const TokenExpiry *watch);
