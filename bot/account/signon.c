/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/signon.h"

#include "bot/archive/archive.h"
#include "bot/lichess/backoff.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <stdlib.h>

/* Games may be waiting for us; only the server has the list. */
static const BackoffPolicy policy = { .first_ms = 1000, .most_ms = 15000 };

/* A proxy, a restart of the server's, are over by then. */
enum { CONFIRM_PAUSE_MS = 5000, DAY_S = 24 * 3600 };

struct Signon {
    const BotContext *context;
    SignonCallbacks callbacks;
    uv_timer_t timer;
    Backoff backoff;
    ApiCall *call;
    bool is_ready;
    bool is_confirming;
    bool is_doubted; /* the server has denied us once */
    bool has_warned; /* of the clock */
};

/* What is remembered until a time would be forgotten early, or never. */
static void look_at_clock(Signon *signon, int64_t server_unix_s)
{
    int64_t ahead_s = clock_unix_ms() / 1000 - server_unix_s;
    bool is_right = ahead_s > -DAY_S && ahead_s < DAY_S;
    if (server_unix_s == 0)
        return;
    archive_trust_clock(signon->context->archive, is_right);
    if (!is_right && !signon->has_warned)
        log_warning(signon->context->log, "clock", "wrong",
                    FIELDS(F("ahead_s", ahead_s),
                           F("advice", "set this machine's clock: the server's says otherwise")));
    signon->has_warned = !is_right;
}

static void signon_on_timer(uv_timer_t *timer);

static void ask_in(Signon *signon, int64_t wait_ms)
{
    timer_set(&signon->timer, signon_on_timer, clock_now_ms() + wait_ms);
}

static void signon_on_account(void *user, const ApiAnswer *answer)
{
    Signon *signon = user;
    const BotContext *context = signon->context;
    const char *url = context->config->account.url;
    AccountCheck check;
    int64_t now = clock_now_ms();
    signon->call = NULL;
    look_at_clock(signon, answer->unix_s);
    account_judge(&check, answer, url);
    if (check.verdict == ACCOUNT_READY && check.is_marked)
        log_warning(context->log, "account", "marked", FIELDS(F("advice", check.advice)));
    if (check.verdict == ACCOUNT_READY && signon->is_ready) {
        signon->is_confirming = signon->is_doubted = false;
        log_info(context->log, "account", "confirmed",
                 FIELDS(F("name", check.name), F("url", url)));
    } else if (check.verdict == ACCOUNT_READY) {
        signon->is_ready = true;
        log_info(context->log, "account", "ready", FIELDS(F("name", check.name), F("url", url)));
        signon->callbacks.on_ready(signon->callbacks.user, &check);
    } else if (account_is_hopeless(check.verdict) && signon->is_ready && !signon->is_doubted) {
        signon->is_doubted = true;
        log_warning(context->log, "account", "denied",
                    FIELDS(F("status", answer->status), F("why", answer->reason)));
        ask_in(signon, CONFIRM_PAUSE_MS);
    } else if (account_is_hopeless(check.verdict)) {
        log_error(context->log, "account", "refused",
                  FIELDS(F("status", answer->status), F("why", answer->reason),
                         F("advice", check.advice)));
        signon->callbacks.on_refused(signon->callbacks.user);
    } else {
        int64_t wait = backoff_ended_ms(&signon->backoff, now);
        int64_t limited = ratelimit_wait_ms(context->limit, FAMILY_ACCOUNT, now);
        if (wait < limited)
            wait = limited;
        if (wait < policy.first_ms)
            wait = policy.first_ms;
        log_warning(
            context->log, "account", "unreachable",
            FIELDS(F("why", answer->reason), F("advice", check.advice), F("retry_in_ms", wait)));
        ask_in(signon, wait);
        signon->callbacks.on_waiting(signon->callbacks.user);
    }
}

static void signon_on_timer(uv_timer_t *timer)
{
    Signon *signon = timer->data;
    Error err = { 0 };
    backoff_attempt(&signon->backoff, clock_now_ms());
    signon->call =
        api_call(signon->context->api, ENDPOINT_ACCOUNT, NULL, signon_on_account, signon, &err);
    if (signon->call)
        return;
    log_error(signon->context->log, "account", "unreachable", FIELDS(F("why", err.text)));
    ask_in(signon, policy.most_ms);
}

bool signon_new(Signon **out, const BotContext *context, uint64_t seed,
                const SignonCallbacks *callbacks, Error *err)
{
    Signon *signon = alloc_zeroed(sizeof *signon, "the account's question", err);
    if (!signon)
        return false;
    signon->context = context;
    signon->callbacks = *callbacks;
    backoff_init(&signon->backoff, &policy, seed);
    timer_init(context->loop, &signon->timer, signon);
    ask_in(signon, 0);
    *out = signon;
    return true;
}

void signon_confirm(Signon *signon, SignonDoubt doubt)
{
    if (!signon->is_ready || signon->is_confirming)
        return;
    signon->is_confirming = true;
    signon->is_doubted = doubt == SIGNON_DENIED;
    ask_in(signon, CONFIRM_PAUSE_MS);
}

void signon_close(Signon *signon)
{
    if (!signon)
        return;
    if (signon->call)
        api_cancel(signon->call);
    timer_close(&signon->timer);
}
