/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/service_manager.h"

#include "bot/ops/timer.h"
#include "engine/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_MS = 5000,      /* without a watchdog */
    TICKS_A_WATCHDOG = 3 /* signs of life in the time in which one is due */
};

struct Presence {
    const BotContext *context;
    const Notify *notify;
    const EventStream *events;
    const Games *games;
    uv_timer_t timer;
    char status[200]; /* the one told last */
    bool was_online;  /* at any time: a start is over */
    bool owes_ready;  /* to be told, and again until it was taken */
};

static void write_status(const Presence *presence, char *out, size_t size)
{
    const char *id = presence->context->our_id;
    int games = games_count(presence->games);
    const char *plural = games == 1 ? "" : "s";
    int len = 0;
    switch (event_stream_phase(presence->events)) {
    case EVENTS_CLOSED:
        len = snprintf(out, size, "signing on to %s", presence->context->config->account.url);
        break;
    case EVENTS_OPEN:
        len = snprintf(out, size, "online as %s, %d game%s", id, games, plural);
        break;
    case EVENTS_OPENING:
    case EVENTS_WAITING:
        len = snprintf(out, size, "offline as %s, %d game%s", id, games, plural);
        break;
    }
    if (len < 0 || (size_t)len >= size)
        out[0] = '\0';
}

static int64_t tick_ms(const Presence *presence)
{
    int64_t watchdog = presence->notify->watchdog_ms;
    return watchdog > 0 && watchdog / TICKS_A_WATCHDOG < TICK_MS ? watchdog / TICKS_A_WATCHDOG
                                                                 : TICK_MS;
}

static void on_timer(uv_timer_t *timer)
{
    Presence *presence = timer->data;
    presence_update(presence);
    if (presence->notify->watchdog_ms > 0 &&
        event_stream_is_tended(presence->events, clock_now_ms()))
        (void)notify_send(presence->notify, "WATCHDOG=1");
    timer_set(timer, on_timer, clock_now_ms() + tick_ms(presence));
}

bool presence_new(Presence **out, const BotContext *context, const Notify *notify,
                  const EventStream *events, const Games *games, Error *err)
{
    Presence *presence = calloc(1, sizeof *presence);
    if (!presence) {
        error_set(err, ERR_MEMORY, "no memory to tell the service manager");
        return false;
    }
    presence->context = context;
    presence->notify = notify;
    presence->events = events;
    presence->games = games;
    uv_timer_init(context->loop, &presence->timer);
    presence->timer.data = presence;
    if (notify_is_wanted(notify))
        timer_set(&presence->timer, on_timer, clock_now_ms());
    *out = presence;
    return true;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void presence_close(Presence *presence)
{
    if (!presence)
        return;
    (void)notify_send(presence->notify, "STOPPING=1\nSTATUS=stopping, %d games stay as they are",
                      games_count(presence->games));
    uv_close((uv_handle_t *)&presence->timer, on_timer_closed);
}

void presence_update(Presence *presence)
{
    char status[sizeof presence->status];
    if (!notify_is_wanted(presence->notify))
        return;
    write_status(presence, status, sizeof status);
    if (strcmp(status, presence->status) != 0 && notify_send(presence->notify, "STATUS=%s", status))
        memcpy(presence->status, status, sizeof status);
    if (!presence->was_online && event_stream_phase(presence->events) == EVENTS_OPEN)
        presence->was_online = presence->owes_ready = true;
    if (presence->owes_ready)
        presence->owes_ready = !notify_send(presence->notify, "READY=1");
}

void presence_reloading(Presence *presence)
{
    (void)notify_send(presence->notify, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, clock_now_us());
}

/* Before we are online we are still starting, and that goes on. */
void presence_reloaded(Presence *presence)
{
    presence->owes_ready = presence->was_online;
    presence_update(presence);
}
