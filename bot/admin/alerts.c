/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/alerts.h"

#include "bot/admin/alert_sender.h"
#include "bot/archive/archive.h"
#include "bot/config/schema.h"
#include "bot/lichess/token_life.h"
#include "bot/ops/json_put.h"
#include "bot/ops/timer.h"
#include "bot/ops/utc_time.h"
#include "bot/policy/alert_limit.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WATCH_MS = 2000, HOST_SIZE = 65 };

/* Something that lasts. */
typedef struct {
    int64_t since_ms; /* INT64_MAX: it is not so */
    int64_t told_ms;  /* INT64_MIN: not since then */
} Lasting;

struct Alerts {
    AlertsView view;
    AlertSender *sender;
    uv_timer_t timer;
    AlertLimit limits[ALERT_KIND_COUNT];
    char held[ALERT_KIND_COUNT][ALERT_TEXT_SIZE]; /* the latest that was held back */
    Lasting offline, archive, token;
};

char *alert_json(const char *kind, const char *account, const char *text, int count, int64_t unix_s)
{
    char host[HOST_SIZE], at[UTC_TIME_SIZE], words[ALERT_TEXT_SIZE + 200];
    struct json_object *to = json_object_new_object();
    if (gethostname(host, sizeof host) != 0)
        host[0] = '\0';
    host[sizeof host - 1] = '\0';
    utc_time_write(unix_s, at);
    size_t end =
        text_format_cut(words, sizeof words, "%s on %s: %s", account[0] ? account : "castled",
                        host[0] ? host : "its host", text);
    if (count > 1)
        text_format_cut(words + end, sizeof words - end, " (%d times)", count);
    json_put_text(to, "event", kind);
    json_put_text(to, "text", words);
    json_put_text(to, "content", words);
    json_put_text(to, "account", account);
    json_put_text(to, "host", host);
    json_put_text(to, "at", at);
    json_put_number(to, "count", count);
    const char *json =
        json_object_to_json_string_ext(to, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    char *out = to && json ? strdup(json) : NULL;
    json_object_put(to);
    return out;
}

static void alerts_on_done(void *user, const char *way, const char *why, bool is_tried_again)
{
    const Alerts *alerts = user;
    Log *log = alerts->view.context->log;
    if (why)
        log_warning(log, "alert", "not-delivered",
                    FIELDS(F("way", way), F("why", why),
                           F("next", is_tried_again ? "tried again every minute" : "given up")));
    else
        log_debug(log, "alert", "delivered", FIELDS(F("way", way)));
}

static void send_alert(Alerts *alerts, AlertKind kind, const char *text, int count)
{
    const BotContext *context = alerts->view.context;
    const Config *config = context->config;
    const char *name = schema_alert_words.words[kind];
    log_info(context->log, "alert", "sent",
             FIELDS(F("kind", name), F("text", text), F("count", count)));
    Error err = { 0 };
    char *json = alert_json(name, context->our_id, text, count, clock_unix_ms() / 1000);
    if (json && config->notify.command[0] != '\0' &&
        !alert_sender_run(alerts->sender, config->notify.command, json, &err))
        alerts_on_done(alerts, "command", err.text, false);
    if (json && config->notify.url[0] != '\0' &&
        !alert_sender_post(alerts->sender, config->notify.url, json, &err))
        alerts_on_done(alerts, "url", err.text, false);
    free(json);
}

static bool is_wanted(const Config *config, AlertKind kind)
{
    return (config->notify.command[0] != '\0' || config->notify.url[0] != '\0') &&
           config_set_has(config->notify.events, (int)kind);
}

static int64_t period_ms(const Alerts *alerts)
{
    return (int64_t)alerts->view.context->config->notify.repeat_min * 60000;
}

void alerts_raise(Alerts *alerts, AlertKind kind, const char *text)
{
    int count;
    if (!is_wanted(alerts->view.context->config, kind))
        return;
    if (alert_limit_take(&alerts->limits[kind], clock_now_ms(), period_ms(alerts), &count)) {
        send_alert(alerts, kind, text, count);
        return;
    }
    text_format_cut(alerts->held[kind], ALERT_TEXT_SIZE, "%s", text);
}

/* What was held back goes out at the end of its period, also if nothing more happens. */
static void flush(Alerts *alerts, int64_t now_ms)
{
    for (int kind = 0; kind < ALERT_KIND_COUNT; kind++)
        if (alert_limit_due_ms(&alerts->limits[kind], period_ms(alerts)) <= now_ms)
            send_alert(alerts, (AlertKind)kind, alerts->held[kind],
                       alert_limit_flush(&alerts->limits[kind], now_ms));
}

/* What lasts. */

static bool lasts(Lasting *what, bool is_so, int64_t now_ms)
{
    if (!is_so)
        *what = (Lasting){ .since_ms = INT64_MAX, .told_ms = INT64_MIN };
    else if (what->since_ms == INT64_MAX)
        what->since_ms = now_ms;
    return is_so;
}

static bool was_told(const Lasting *what)
{
    return what->told_ms != INT64_MIN;
}

/* Is it time to say it, for the first time or again? */
static bool is_to_be_told(Lasting *what, int64_t now_ms, int64_t again_ms)
{
    if (was_told(what) && now_ms - what->told_ms < again_ms)
        return false;
    what->told_ms = now_ms;
    return true;
}

static void PRINTF_LIKE(3, 4) raise_alert(Alerts *alerts, AlertKind kind, const char *format, ...)
{
    char text[ALERT_TEXT_SIZE];
    va_list arguments;
    if (!is_wanted(alerts->view.context->config, kind))
        return;
    va_start(arguments, format);
    text_format_cut_v(text, sizeof text, format, arguments);
    va_end(arguments);
    send_alert(alerts, kind, text, 1);
}

static void watch_offline(Alerts *alerts, int64_t now_ms)
{
    Lasting *offline = &alerts->offline;
    int64_t after_ms = (int64_t)alerts->view.context->config->notify.offline_min * 60000;
    int64_t minutes = offline->since_ms == INT64_MAX ? 0 : (now_ms - offline->since_ms) / 60000;
    bool was = was_told(offline);
    if (!lasts(offline, event_stream_phase(alerts->view.events) != EVENTS_OPEN, now_ms)) {
        if (was)
            raise_alert(alerts, ALERT_OFFLINE, "online again after %" PRId64 " minutes", minutes);
        return;
    }
    if (now_ms - offline->since_ms >= after_ms && is_to_be_told(offline, now_ms, period_ms(alerts)))
        raise_alert(alerts, ALERT_OFFLINE, "offline for %" PRId64 " minutes", minutes);
}

static void watch_archive(Alerts *alerts, int64_t now_ms)
{
    const BotContext *context = alerts->view.context;
    ArchiveStatus status = archive_status(context->archive);
    bool is_off = status.state == ARCHIVE_OFF && strcmp(context->config->archive.file, "off") != 0;
    bool is_bad = is_off || status.state == ARCHIVE_FAILING || status.state == ARCHIVE_UNFIT;
    bool was = was_told(&alerts->archive);
    if (!lasts(&alerts->archive, is_bad, now_ms)) {
        if (was)
            raise_alert(alerts, ALERT_ARCHIVE, "the archive is written again");
        return;
    }
    if (is_to_be_told(&alerts->archive, now_ms, period_ms(alerts)))
        raise_alert(alerts, ALERT_ARCHIVE, "finished games are not written to the archive: %s",
                    is_off ? "there is no place for it" : status.why);
}

static void watch_token(Alerts *alerts, int64_t now_ms)
{
    int64_t expires_s = token_expiry_expires_s(alerts->view.token);
    const TokenLife life = { .is_good = expires_s >= 0, .expires_unix_ms = expires_s * 1000 };
    int64_t now_unix_ms = clock_unix_ms(), days = token_life_days(&life, now_unix_ms);
    if (lasts(&alerts->token, token_life_is_urgent(&life, now_unix_ms), now_ms) &&
        is_to_be_told(&alerts->token, now_ms, DURATION_DAY_MS))
        raise_alert(alerts, ALERT_TOKEN, "the token expires in %" PRId64 " days: make a new one",
                    days);
}

static void alerts_on_timer(uv_timer_t *timer)
{
    Alerts *alerts = timer->data;
    int64_t now = clock_now_ms();
    watch_offline(alerts, now);
    watch_archive(alerts, now);
    watch_token(alerts, now);
    flush(alerts, now);
    timer_set(timer, alerts_on_timer, now + WATCH_MS);
}

bool alerts_new(Alerts **out, const AlertsView *view, Error *err)
{
    const Config *config = view->context->config;
    Alerts *alerts = alloc_zeroed(sizeof *alerts, "alerts", err);
    if (!alerts)
        return false;
    alerts->view = *view;
    const AlertSenderOptions options = {
        .command_ms = ALERT_COMMAND_MS,
        .retry_ms = ALERT_RETRY_MS,
        .ca_file = config->account.ca_file,
        .config_file = view->config_file,
        .token_file = config->account.token_file,
        .on_done = alerts_on_done,
        .user = alerts,
    };
    if (!alert_sender_new(&alerts->sender, view->context->loop, &options, err)) {
        free(alerts);
        return false;
    }
    int64_t now = clock_now_ms();
    Lasting *const all[] = { &alerts->offline, &alerts->archive, &alerts->token };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void)lasts(all[i], false, now);
    timer_init(view->context->loop, &alerts->timer, alerts);
    timer_set(&alerts->timer, alerts_on_timer, now + WATCH_MS);
    *out = alerts;
    return true;
}

void alerts_close(Alerts *alerts)
{
    if (!alerts)
        return;
    alert_sender_close(alerts->sender);
    timer_close(&alerts->timer);
}
