/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_stream.h - the account's event stream, kept open. When it ends it is opened again, as soon
 * and as often as the server allows; restarts count too. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/lichess/backoff.h"

typedef struct EventStream EventStream;

typedef struct {
    void (*on_open)(void *user); /* each time: what happened since the last is unknown */
    void (*on_lost)(void *user); /* it ended, or could not be opened */
    void (*on_event)(void *user, const Event *event);
    void (*on_skipped)(void *user); /* an unreadable line; logged */
    void *user;
} EventStreamCallbacks;

/* Closed until event_stream_open(). `context` is lent and outlives it; `seed` for the jitter. */
bool event_stream_new(EventStream **out, const BotContext *context, uint64_t seed,
                      const EventStreamCallbacks *callbacks, Error *err) MUST_CHECK;

/* Nothing more is called. The memory goes in close callbacks (I8). NULL is fine. */
void event_stream_close(EventStream *stream);

/* Opens it, and from now on keeps it open. Once. It counts as open when the answer's head is there,
 * or a second after the request went out. Over HTTP/2 Lichess's proxy holds the head of an idle
 * stream back until the first keep-alive, 7 s later; a refusal comes at once. */
void event_stream_open(EventStream *stream);

/* Where it is open or being opened: hangs up, and opens it again as after a loss. Not from inside
 * one of its callbacks. */
void event_stream_reopen(EventStream *stream);

/* The server was reached just now: where it waits for its next try, and no limit holds it, it
 * tries at once. */
void event_stream_hurry(EventStream *stream);

typedef enum {
    EVENTS_CLOSED, /* not wanted yet */
    EVENTS_OPENING,
    EVENTS_OPEN,
    EVENTS_WAITING, /* until it may be opened again */
} EventsPhase;
EventsPhase event_stream_phase(const EventStream *stream);

/* False when something is wrong with us. It is open but nothing came for far too long, it neither
 * opens nor fails, or no timer is set to open it again. */
bool event_stream_is_alive(const EventStream *stream, int64_t now_ms);

/* Since when it has been open (monotonic); INT64_MAX: it is not. */
int64_t event_stream_open_since_ms(const EventStream *stream);
