/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_json.h - how the bot is doing, as one JSON object: what `castled status` shows. */
#pragma once
#include "bot/account/context.h"
#include "bot/account/event_stream.h"
#include "bot/game/game_set.h"
#include "bot/pairing/pairing.h"
#include "bot/account/token_expiry.h"

#include <json-c/json.h>

/* Lent. */
typedef struct {
    const BotContext *context;
    const EventStream *events;
    const GameSet *games;
    const Pairing *pairing;
    const TokenExpiry *token;
    int64_t started_ms; /* monotonic */
} StatusView;

/* The caller drops it. NULL without memory. */
struct json_object *status_json_make(const StatusView *view);

/* The same without `games` and `recent`, which live_feed.h tells one by one. */
struct json_object *status_json_state(const StatusView *view);

/* Of that, what stands under "moves": how long ours took to arrive. */
struct json_object *status_json_moves(const StatusView *view);
