/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/service_manager.h"

#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_MS = 5000,      /* without a watchdog */
    TICKS_A_WATCHDOG = 3 /* signs of life in the time in which one is due */
};

struct ServiceManager {
    const BotContext *context;
    const Notify *notify;
    const EventStream *events;
    const GameSet *games;
    uv_timer_t timer;
    char status[200]; /* the one sent last */
    bool is_started;
    bool owes_ready; /* to be sent, and again until it was taken */
};

static void write_status(const ServiceManager *service_manager, char *out, size_t size)
{
    const char *id = service_manager->context->our_id;
    int games = game_set_count(service_manager->games);
    const char *plural = games == 1 ? "" : "s";
    int len = 0;
    switch (event_stream_phase(service_manager->events)) {
    case EVENTS_CLOSED:
        len =
            snprintf(out, size, "signing on to %s", service_manager->context->config->account.url);
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

static int64_t tick_ms(const ServiceManager *service_manager)
{
    int64_t watchdog = service_manager->notify->watchdog_ms;
    return watchdog > 0 && watchdog / TICKS_A_WATCHDOG < TICK_MS ? watchdog / TICKS_A_WATCHDOG
                                                                 : TICK_MS;
}

static void service_manager_on_timer(uv_timer_t *timer)
{
    ServiceManager *service_manager = timer->data;
    service_manager_update(service_manager);
    if (service_manager->notify->watchdog_ms > 0 &&
        event_stream_is_alive(service_manager->events, clock_now_ms()))
        (void)notify_send(service_manager->notify, "WATCHDOG=1");
    timer_set(timer, service_manager_on_timer, clock_now_ms() + tick_ms(service_manager));
}

bool service_manager_new(ServiceManager **out, const BotContext *context, const Notify *notify,
                         const EventStream *events, const GameSet *games, Error *err)
{
    ServiceManager *service_manager =
        alloc_zeroed(sizeof *service_manager, "the service manager", err);
    if (!service_manager)
        return false;
    service_manager->context = context;
    service_manager->notify = notify;
    service_manager->events = events;
    service_manager->games = games;
    timer_init(context->loop, &service_manager->timer, service_manager);
    if (notify_is_wanted(notify))
        timer_set(&service_manager->timer, service_manager_on_timer, clock_now_ms());
    *out = service_manager;
    return true;
}

void service_manager_close(ServiceManager *service_manager)
{
    if (!service_manager)
        return;
    (void)notify_send(service_manager->notify,
                      "STOPPING=1\nSTATUS=stopping, %d games stay as they are",
                      game_set_count(service_manager->games));
    timer_close(&service_manager->timer);
}

void service_manager_update(ServiceManager *service_manager)
{
    char status[sizeof service_manager->status];
    if (!notify_is_wanted(service_manager->notify))
        return;
    write_status(service_manager, status, sizeof status);
    if (strcmp(status, service_manager->status) != 0 &&
        notify_send(service_manager->notify, "STATUS=%s", status))
        memcpy(service_manager->status, status, sizeof status);
    EventsPhase phase = event_stream_phase(service_manager->events);
    if (!service_manager->is_started && (phase == EVENTS_OPEN || phase == EVENTS_WAITING))
        service_manager->is_started = service_manager->owes_ready = true;
    if (service_manager->owes_ready)
        service_manager->owes_ready = !notify_send(service_manager->notify, "READY=1");
}

void service_manager_started(ServiceManager *service_manager)
{
    if (!service_manager->is_started)
        service_manager->is_started = service_manager->owes_ready = true;
    service_manager_update(service_manager);
}

void service_manager_reloading(ServiceManager *service_manager)
{
    (void)notify_send(service_manager->notify, "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
                      clock_now_us());
}

/* Before the start is over it goes on. */
void service_manager_reloaded(ServiceManager *service_manager)
{
    service_manager->owes_ready = service_manager->is_started;
    service_manager_update(service_manager);
}
