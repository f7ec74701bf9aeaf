/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/token_expiry.h"

#include "bot/lichess/token_life.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <stdlib.h>

enum {
    FIRST_MS = 10000, /* when the requests of the start are through */
    DAILY_MS = 24 * 3600 * 1000,
    AGAIN_MS = 3600 * 1000, /* where there was no answer */
};

struct TokenExpiry {
    const BotContext *context;
    uv_timer_t timer;
    ApiCall *call;
    TokenLife life;
};

static void token_expiry_on_timer(uv_timer_t *timer);

static void ask_in(TokenExpiry *watch, int64_t wait_ms)
{
    timer_set(&watch->timer, token_expiry_on_timer, clock_now_ms() + wait_ms);
}

static void token_expiry_on_answer(void *user, const ApiAnswer *answer)
{
    TokenExpiry *watch = user;
    Log *log = watch->context->log;
    char words[TOKEN_LIFE_WORDS_SIZE];
    Error err = { 0 };
    watch->call = NULL;
    if (answer->outcome != API_OK || !token_life_parse(&watch->life, answer->body, &err)) {
        log_debug(log, "account", "token-life-unknown",
                  FIELDS(F("status", answer->status),
                         F("why", answer->outcome == API_OK ? err.text : answer->reason)));
        ask_in(watch, AGAIN_MS);
        return;
    }
    int64_t now = clock_unix_ms(), days = token_life_days(&watch->life, now);
    token_life_write(words, &watch->life, now);
    if (token_life_is_urgent(&watch->life, now))
        log_warning(log, "account", "token-expires", FIELDS(F("days", days), F("why", words)));
    else
        log_debug(log, "account", "token-life", FIELDS(F("words", words)));
    ask_in(watch, DAILY_MS);
}

static void token_expiry_on_timer(uv_timer_t *timer)
{
    TokenExpiry *watch = timer->data;
    Error err = { 0 };
    if (watch->context->our_id[0] == '\0') {
        ask_in(watch, FIRST_MS);
        return;
    }
    watch->call = api_call(watch->context->api, ENDPOINT_TOKEN_TEST, NULL, token_expiry_on_answer,
                           watch, &err);
    if (!watch->call)
        ask_in(watch, AGAIN_MS);
}

bool token_expiry_new(TokenExpiry **out, const BotContext *context, Error *err)
{
    TokenExpiry *watch = alloc_zeroed(sizeof *watch, "the token's watch", err);
    if (!watch)
        return false;
    watch->context = context;
    timer_init(context->loop, &watch->timer, watch);
    ask_in(watch, FIRST_MS);
    *out = watch;
    return true;
}

void token_expiry_close(TokenExpiry *watch)
{
    if (!watch)
        return;
    if (watch->call)
        api_cancel(watch->call);
    timer_close(&watch->timer);
}

int64_t token_expiry_expires_s(const TokenExpiry *watch)
{
    return token_life_is_known(&watch->life, clock_unix_ms()) ? watch->life.expires_unix_ms / 1000
                                                              : -1;
}
