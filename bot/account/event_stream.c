/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/event_stream.h"

#include "bot/archive/archive.h"
#include "bot/model/state_table.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/base/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORT_LIVES_TELL = 3,
    REFUSALS_TELL = 5,
    NO_CALL_RETRY_MS = 1000, /* there was no memory for one */
    /* Silence ends a stream, and a time limit an attempt, long before this. */
    SILENCE_MAX_MS = 60000,
    TAKEN_MS = 1000, /* a request that is not refused by then is taken */
};

struct EventStream {
    const BotContext *context;
    EventStreamCallbacks callbacks;
    uv_timer_t timer;
    Backoff backoff;
    EventsPhase phase;
    ApiCall *call;
    int64_t heard_ms;      /* OPENING: since when; OPEN: the latest sign of life */
    int64_t due_ms;        /* WAITING */
    int64_t open_since_ms; /* INT64_MAX: not open */
    int refusals;          /* 4xx in a row that say nothing of the token or a limit */
};

static void enter_phase(EventStream *stream, EventsPhase phase)
{
    static const char *const names[] = {
        [EVENTS_CLOSED] = "closed",
        [EVENTS_OPENING] = "opening",
        [EVENTS_OPEN] = "open",
        [EVENTS_WAITING] = "waiting",
    };
    static const uint32_t next[] = {
        [EVENTS_CLOSED] = 1U << EVENTS_OPENING | 1U << EVENTS_WAITING,
        [EVENTS_OPENING] = 1U << EVENTS_OPEN | 1U << EVENTS_WAITING,
        [EVENTS_OPEN] = 1U << EVENTS_WAITING,
        [EVENTS_WAITING] = 1U << EVENTS_OPENING,
    };
    static const StateTable table = { names, next };
    log_debug(stream->context->log, "stream", "state",
              FIELDS(F("from", names[stream->phase]), F("to", names[phase])));
    stream->phase = state_enter(&table, stream->phase, phase);
}

static void count_as_open(EventStream *stream)
{
    const BotContext *context = stream->context;
    enter_phase(stream, EVENTS_OPEN);
    stream->open_since_ms = clock_now_ms();
    log_info(context->log, "stream", "open", FIELDS(F("account", context->our_id)));
    stream->callbacks.on_open(stream->callbacks.user);
}

static void event_stream_on_taken(uv_timer_t *timer)
{
    count_as_open(timer->data);
}

static void event_stream_on_sent(void *user)
{
    EventStream *stream = user;
    if (stream->phase == EVENTS_OPENING)
        timer_set(&stream->timer, event_stream_on_taken, clock_now_ms() + TAKEN_MS);
}

/* The head is there. Only this resets the back-off. */
static void event_stream_on_open(void *user)
{
    EventStream *stream = user;
    stream->heard_ms = clock_now_ms();
    stream->refusals = 0;
    backoff_opened(&stream->backoff, stream->heard_ms);
    timer_set(&stream->timer, event_stream_on_taken, INT64_MAX);
    if (stream->phase == EVENTS_OPENING)
        count_as_open(stream);
}

static void event_stream_on_event(void *user, const Event *event)
{
    EventStream *stream = user;
    stream->heard_ms = clock_now_ms();
    stream->callbacks.on_event(stream->callbacks.user, event);
}

static void event_stream_on_keepalive(void *user)
{
    EventStream *stream = user;
    stream->heard_ms = clock_now_ms();
}

static void event_stream_on_skipped(void *user, Text start, size_t line_len, const Error *err)
{
    EventStream *stream = user;
    stream->heard_ms = clock_now_ms();
    log_warning(stream->context->log, "stream", "unreadable",
                FIELDS(F("bytes", line_len), F("why", err->text), F("start", start)));
    stream->callbacks.on_skipped(stream->callbacks.user);
}

static void attempt(EventStream *stream);

static void event_stream_on_timer(uv_timer_t *timer)
{
    attempt(timer->data);
}

static void wait_ms(EventStream *stream, int64_t wait)
{
    enter_phase(stream, EVENTS_WAITING);
    stream->due_ms = clock_now_ms() + wait;
    timer_set(&stream->timer, event_stream_on_timer, stream->due_ms);
    stream->callbacks.on_lost(stream->callbacks.user);
}

/* How long the stream that has just ended stays closed. */
static int64_t ended(EventStream *stream)
{
    int64_t now = clock_now_ms();
    stream->call = NULL;
    stream->open_since_ms = INT64_MAX;
    return int64_max(backoff_ended_ms(&stream->backoff, now),
                     ratelimit_wait_ms(stream->context->limit, FAMILY_EVENT_STREAM, now));
}

/* Lichess has no such answer for a bot: it is another server, or one in front of it. */
static void count_refusal(EventStream *stream, const ApiAnswer *answer)
{
    int status = answer->status;
    if (status < 400 || status >= 500 || status == 401 || status == 429)
        return;
    if (++stream->refusals == REFUSALS_TELL)
        log_error(stream->context->log, "stream", "refused",
                  FIELDS(F("status", status), F("why", answer->reason),
                         F("advice",
                           "without the event stream nobody can challenge castled: check url in "
                           "[account], and what stands between this machine and the server")));
}

static void event_stream_on_end(void *user, const ApiAnswer *answer)
{
    EventStream *stream = user;
    const BotContext *context = stream->context;
    int64_t wait = ended(stream);
    if (api_answer_is_denial(answer))
        context->on_denied(context->user, answer);
    log_warning(
        context->log, "stream", "lost",
        FIELDS(F("end", api_outcome_name(answer->outcome)), F("status", answer->status),
               F("why", answer->outcome == API_OK ? "closed by the server" : answer->reason),
               F("retry_in_ms", wait)));
    count_refusal(stream, answer);
    if (answer->outcome == API_OK && stream->backoff.short_lives == SHORT_LIVES_TELL)
        log_error(
            context->log, "stream", "second-client",
            FIELDS(F("advice",
                     "Lichess closes our event stream again and again: most likely another program "
                     "uses the same token; stop it, or give each its own")));
    wait_ms(stream, wait);
}

/* The server's limit spans our restarts, so attempts are archived with times of the wall clock. */

static void remember_opens(const EventStream *stream)
{
    int64_t opens[BACKOFF_WINDOW_MAX], now = clock_now_ms(), unix_now = clock_unix_ms();
    char text[FACT_VALUE_SIZE];
    int count = backoff_attempts(&stream->backoff, opens, now), len = 0;
    for (int i = 0; i < count; i++) {
        int n = snprintf(text + len, sizeof text - (size_t)len, "%s%" PRId64, i ? " " : "",
                         unix_now - (now - opens[i]));
        if (n < 0 || (size_t)n >= sizeof text - (size_t)len)
            break;
        len += n;
    }
    archive_remember(stream->context->archive, FACT_OPENS, (Text){ 0 }, text,
                     unix_now + BACKOFF_EVENT_STREAM.window_ms);
}

static void recall_opens(EventStream *stream)
{
    int64_t opens[BACKOFF_WINDOW_MAX], now = clock_now_ms(), unix_now = clock_unix_ms();
    Text rest = text_of(archive_recall(stream->context->archive, FACT_OPENS, (Text){ 0 }));
    int count = 0;
    while (rest.len > 0 && count < BACKOFF_WINDOW_MAX) {
        Text word = text_next_word(&rest, " ");
        int64_t when;
        if (number_parse(word.at, word.len, 0, unix_now, &when, NULL))
            opens[count++] = now - (unix_now - when);
    }
    backoff_restore(&stream->backoff, opens, count);
}

static void attempt(EventStream *stream)
{
    const ApiStreamCallbacks callbacks = {
        .on_sent = event_stream_on_sent,
        .on_open = event_stream_on_open,
        .on_event = event_stream_on_event,
        .on_keepalive = event_stream_on_keepalive,
        .on_skipped = event_stream_on_skipped,
        .on_end = event_stream_on_end,
        .user = stream,
    };
    Error err = { 0 };
    int64_t now = clock_now_ms();
    CHECK(!stream->call);
    backoff_attempt(&stream->backoff, now);
    remember_opens(stream);
    enter_phase(stream, EVENTS_OPENING);
    stream->heard_ms = now;
    stream->call = api_stream(stream->context->api, ENDPOINT_EVENTS, NULL, &callbacks, &err);
    if (stream->call)
        return;
    log_error(stream->context->log, "stream", "lost", FIELDS(F("why", err.text)));
    int64_t wait = backoff_ended_ms(&stream->backoff, now);
    wait_ms(stream, wait > NO_CALL_RETRY_MS ? wait : NO_CALL_RETRY_MS);
}

bool event_stream_new(EventStream **out, const BotContext *context, uint64_t seed,
                      const EventStreamCallbacks *callbacks, Error *err)
{
    EventStream *stream = alloc_zeroed(sizeof *stream, "the event stream", err);
    if (!stream)
        return false;
    stream->context = context;
    stream->open_since_ms = INT64_MAX;
    stream->callbacks = *callbacks;
    backoff_init(&stream->backoff, &BACKOFF_EVENT_STREAM, seed);
    recall_opens(stream);
    timer_init(context->loop, &stream->timer, stream);
    *out = stream;
    return true;
}

void event_stream_close(EventStream *stream)
{
    if (!stream)
        return;
    if (stream->call)
        api_cancel(stream->call);
    timer_close(&stream->timer);
}

void event_stream_open(EventStream *stream)
{
    int64_t now = clock_now_ms();
    int64_t wait = backoff_window_wait_ms(&stream->backoff, now);
    int64_t limited = ratelimit_wait_ms(stream->context->limit, FAMILY_EVENT_STREAM, now);
    if (wait < limited)
        wait = limited;
    if (wait == 0) {
        attempt(stream);
        return;
    }
    log_info(stream->context->log, "stream", "lost",
             FIELDS(F("why", "limits of an earlier life"), F("retry_in_ms", wait)));
    wait_ms(stream, wait);
}

void event_stream_hurry(EventStream *stream)
{
    int64_t now = clock_now_ms();
    if (stream->phase != EVENTS_WAITING || backoff_window_wait_ms(&stream->backoff, now) > 0 ||
        ratelimit_wait_ms(stream->context->limit, FAMILY_EVENT_STREAM, now) > 0)
        return;
    stream->due_ms = int64_min(stream->due_ms, now);
    timer_set(&stream->timer, event_stream_on_timer, stream->due_ms);
}

void event_stream_reopen(EventStream *stream)
{
    if (!stream->call)
        return;
    api_cancel(stream->call);
    wait_ms(stream, ended(stream));
}

EventsPhase event_stream_phase(const EventStream *stream)
{
    return stream->phase;
}

bool event_stream_is_alive(const EventStream *stream, int64_t now_ms)
{
    switch (stream->phase) {
    case EVENTS_CLOSED:
        return true;
    case EVENTS_OPENING:
    case EVENTS_OPEN:
        return now_ms - stream->heard_ms < SILENCE_MAX_MS;
    case EVENTS_WAITING:
        return now_ms - stream->due_ms < SILENCE_MAX_MS;
    }
    return false;
}

int64_t event_stream_open_since_ms(const EventStream *stream)
{
    return stream->open_since_ms;
}
