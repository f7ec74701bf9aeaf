/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.h - how the bot is doing, as one JSON object: what `castled status` shows. */
#pragma once
#include "bot/agenda.h"
#include "bot/arenas.h"
#include "bot/context.h"
#include "bot/event_stream.h"
#include "bot/games.h"
#include "bot/matchmaker.h"
#include "bot/token_watch.h"

#include <json-c/json.h>

/* Lent. */
typedef struct {
    const BotContext *context;
    const EventStream *events;
    const Games *games;
    const Matchmaker *matchmaker;
    const Agenda *agenda;
    const Arenas *arenas;
    const TokenWatch *token;
    int64_t started_ms; /* monotonic */
} StatusView;

/* The caller drops it. NULL without memory. */
struct json_object *status_make(const StatusView *view);
