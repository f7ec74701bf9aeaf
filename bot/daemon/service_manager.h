/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_manager.h - what the service manager hears of us: ready as soon as the event stream is open the
 * first time, one line of status, and a sign of life while the loop turns and the event stream is
 * looked after (open and heard from, or about to be opened again). Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/account/event_stream.h"
#include "bot/game/game_set.h"
#include "bot/ops/notify.h"

typedef struct Presence Presence;

/* All but `out` and `err` are lent and outlive it. */
bool presence_new(Presence **out, const BotContext *context, const Notify *notify,
                  const EventStream *events, const Games *games, Error *err) MUST_CHECK;

/* Says that we stop; the memory goes when the loop has let go of it. NULL is fine. */
void presence_close(Presence *presence);

/* Something may have changed. */
void presence_update(Presence *presence);

/* A reload of the configuration begins, has ended. */
void presence_reloading(Presence *presence);
void presence_reloaded(Presence *presence);
