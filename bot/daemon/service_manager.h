/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_manager.h - our messages to the service manager. "Ready" goes out when the event stream
 * is open for the first time or has to wait, or when the start is said to be over; and one line of
 * status. Signs of life go out while the loop runs and the event stream is alive, or about to be
 * opened again. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/account/event_stream.h"
#include "bot/game/game_set.h"
#include "bot/ops/notify.h"

typedef struct ServiceManager ServiceManager;

/* All but `out` and `err` are lent and outlive it. */
bool service_manager_new(ServiceManager **out, const BotContext *context, const Notify *notify,
                         const EventStream *events, const GameSet *games, Error *err) MUST_CHECK;

/* Says that we stop; the memory goes in close callbacks (I8). NULL is fine. */
void service_manager_close(ServiceManager *service_manager);

/* The start is over, though we are not online: the server cannot be asked now. An account that it
 * refuses makes the start fail instead. */
void service_manager_started(ServiceManager *service_manager);

/* Something may have changed. */
void service_manager_update(ServiceManager *service_manager);

/* A reload of the configuration begins, has ended. */
void service_manager_reloading(ServiceManager *service_manager);
void service_manager_reloaded(ServiceManager *service_manager);
