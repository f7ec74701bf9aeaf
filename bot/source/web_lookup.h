/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web_lookup.h - a question to a service on the web, on its way there and back.
 *
 * An lookup is run for one service, one question at a time. The answer comes from the loop, never
 * from inside a call; none comes to a question that was cancelled. Loop thread only. */
#pragma once
#include "bot/http/http.h"
#include "bot/source/online_choice.h"

typedef struct {
    OnlineOutcome outcome;
    MoveChoice found;    /* for ONLINE_FOUND: without its version */
    MoveList candidates; /* that are as good; empty: there is no choice */
    HttpHead head;       /* of the answer, if there was one */
    Error why;           /* for ONLINE_FAILED */
    int64_t took_ms;
} WebLookupAnswer;

typedef struct WebLookup WebLookup;
typedef void WebLookupOnAnswer(void *user, WebLookup *lookup, const WebLookupAnswer *answer);

typedef struct {
    OnlineService service;
    const char *url; /* the service's, without a slash at its end; lent */
    Http *http;      /* lent */
    bool authorize;  /* with the token of `http` */
    uint64_t *seed;  /* for the choice among moves; lent */
    WebLookupOnAnswer *on_answer;
    void *user;
} WebLookupOptions;

struct WebLookup {
    WebLookupOptions options;
    HttpRequest *transfer; /* NULL: no request */
    Position position;
    OnlineSettings settings;
    Buf line; /* of a streamed answer */
    int64_t asked_at_ms;
};

void web_lookup_init(WebLookup *lookup, const WebLookupOptions *options);

/* Asks about `position` in a game like the request's, instead of what is still asked. False and an
 * Error when that can't even be begun. */
bool web_lookup_run(WebLookup *lookup, const Position *position, const MoveRequest *request,
                    Error *err) MUST_CHECK;

/* Nothing asked: nothing happens. */
void web_lookup_cancel(WebLookup *lookup);

/* The request must be no more, or its Http closed. */
void web_lookup_release(WebLookup *lookup);
