/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/online_check.h"

#include "bot/lichess/online_bots.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <stdlib.h>

enum {
    SEEN_BY_MS = 20000, /* an account is online at once, and offline 10 s after its last stream */
    HOURLY_MS = 3600 * 1000,
};

struct OnlineCheck {
    const BotContext *context;
    EventStream *events;
    uv_timer_t timer;
    ApiCall *call;
    int64_t asked_ms;
};

static void online_check_on_timer(uv_timer_t *timer);

static void look_in(OnlineCheck *check, int64_t wait_ms)
{
    timer_set(&check->timer, online_check_on_timer, clock_now_ms() + wait_ms);
}

/* Since when the stream that is open must be known to the server; INT64_MAX: none is. */
static int64_t seen_by_ms(const OnlineCheck *check)
{
    int64_t since_ms = event_stream_open_since_ms(check->events);
    return since_ms == INT64_MAX ? INT64_MAX : since_ms + SEEN_BY_MS;
}

static void online_check_on_status(void *user, const ApiAnswer *answer)
{
    OnlineCheck *check = user;
    const BotContext *context = check->context;
    bool is_online;
    Error err = { 0 };
    check->call = NULL;
    look_in(check, HOURLY_MS);
    if (answer->outcome != API_OK ||
        !user_is_online(answer->body.at, answer->body.len, context->our_id, &is_online, &err)) {
        log_debug(context->log, "account", "online-unknown",
                  FIELDS(F("status", answer->status),
                         F("why", answer->outcome == API_OK ? err.text : answer->reason)));
        return;
    }
    if (is_online || seen_by_ms(check) > check->asked_ms) /* opened since */
        return;
    log_warning(context->log, "account", "unseen",
                FIELDS(F("why", "the server takes us for offline, though our event stream is open"),
                       F("next", "opened again")));
    event_stream_reopen(check->events);
}

static void online_check_on_timer(uv_timer_t *timer)
{
    OnlineCheck *check = timer->data;
    const BotContext *context = check->context;
    Error err = { 0 };
    int64_t seen_by = seen_by_ms(check);
    check->asked_ms = clock_now_ms();
    if (seen_by > check->asked_ms) {
        look_in(check, seen_by == INT64_MAX ? SEEN_BY_MS : seen_by - check->asked_ms);
        return;
    }
    check->call =
        api_users_status(context->api, &context->our_id, 1, online_check_on_status, check, &err);
    if (!check->call)
        look_in(check, HOURLY_MS);
}

bool online_check_new(OnlineCheck **out, const BotContext *context, EventStream *events, Error *err)
{
    OnlineCheck *check = alloc_zeroed(sizeof *check, "the look at our own flag", err);
    if (!check)
        return false;
    check->context = context;
    check->events = events;
    timer_init(context->loop, &check->timer, check);
    look_in(check, SEEN_BY_MS);
    *out = check;
    return true;
}

void online_check_close(OnlineCheck *check)
{
    if (!check)
        return;
    if (check->call)
        api_cancel(check->call);
    timer_close(&check->timer);
}
