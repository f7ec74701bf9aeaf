/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/client.h"

#include "bot/ops/jsonread.h"
#include "bot/ops/line_reader.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <stdlib.h>

enum {
    CALL_TIMEOUT_MS = 10000,
    KEEPALIVE_MS = 7000, /* what Lichess promises */
    SILENCE_MS = 2 * KEEPALIVE_MS + 1000,
    BASE_URL_SIZE = 256,
};

struct ApiCall {
    Api *api;
    ApiCall *previous, *next;
    HttpRequest *request; /* NULL: waits for its turn */
    ApiFamily family;
    RequestRank rank;
    uint32_t ticket; /* of those that queue */
    char *url, *body;
    HttpSpec spec;
    const char *why_not; /* not sent, with the callback to come; else NULL */
    bool is_stream;
    ApiOnAnswer *on_answer; /* of calls */
    void *user;
    ApiStreamCallbacks stream; /* of streams */
    LineReader lines;
    bool is_reading;   /* a callback of the stream may be running */
    bool is_cancelled; /* meanwhile */
};

struct Api {
    Http *http;
    char *base_url;
    ApiCall *calls;
    ApiQueue queue;       /* without a loop: calls go as they come */
    Recording *recording; /* NULL: none */
    Dialect *dialect;     /* NULL: Lichess's own */
    RequestQueue requests;
    uv_timer_t *timer; /* of the queue; outlives us until the loop has closed it */
    uint32_t last_ticket;
};

static void call_free(ApiCall *call)
{
    if (call->previous)
        call->previous->next = call->next;
    else
        call->api->calls = call->next;
    if (call->next)
        call->next->previous = call->previous;
    if (call->is_stream)
        line_reader_release(&call->lines);
    free(call->url);
    free(call->body);
    free(call);
}

static ApiOutcome outcome_of_status(int status)
{
    if (status >= 200 && status < 300)
        return API_OK;
    if (status == 401)
        return API_UNAUTHORIZED;
    if (status == 403)
        return API_FORBIDDEN;
    if (status == 429)
        return API_LIMITED;
    return status >= 500 ? API_SERVER_ERROR : API_REFUSED;
}

static ApiOutcome outcome_of(const HttpResult *result)
{
    switch (result->outcome) {
    case HTTP_ANSWERED:
        return outcome_of_status(result->head.status);
    case HTTP_UNREACHABLE:
    case HTTP_UNTRUSTED:
        return API_UNREACHABLE;
    case HTTP_TIMED_OUT:
    case HTTP_BROKEN:
    case HTTP_TOO_LARGE:
        return API_LOST;
    case HTTP_SILENT:
        return API_SILENT;
    }
    return API_LOST;
}

/* ---- the queue ---- */

static void client_on_turn(uv_timer_t *timer);

/* Looks into the queue when there may be something to do: from the loop, never from here. */
static void set_turn(Api *api)
{
    if (!api->timer)
        return;
    int64_t at = request_queue_next_at_ms(&api->requests, api->queue.limit, clock_now_ms());
    for (const ApiCall *call = api->calls; call; call = call->next)
        if (call->why_not)
            at = 0;
    timer_set(api->timer, client_on_turn, at);
}

/* The request is off the wire, or its owner has dropped it. */
static void leave_queue(ApiCall *call)
{
    Api *api = call->api;
    if (!api->timer)
        return;
    if (!request_is_urgent(call->rank))
        request_queue_withdraw(&api->requests, call->ticket);
    else if (call->request)
        request_queue_answered_urgent(&api->requests, call->rank);
    set_turn(api);
}

/* A day's limit on games between bots stops our challenges to bots: neither those to humans, nor
 * the acceptance of others'. */
static ApiFamily limited_family(const ApiAnswer *answer)
{
    return text_starts_with(answer->limit_key, "bot.vsBot") ? FAMILY_CREATE_BOT : answer->family;
}

static void note_limit(Api *api, const ApiAnswer *answer)
{
    Ratelimit *limit = api->queue.limit;
    if (!limit)
        return;
    if (answer->status == 0) {
        ratelimit_note_lost(limit, answer->family);
        return;
    }
    if (answer->outcome != API_LIMITED) {
        ratelimit_note_passed(limit, answer->family);
        return;
    }
    const Ratelimit before = *limit;
    ratelimit_note(limit, limited_family(answer), answer->wait_s, answer->limit_key.len > 0,
                   clock_now_ms());
    for (int family = 0; family < FAMILY_COUNT && api->queue.on_limited; family++) {
        int64_t until = limit->blocked_until_ms[family];
        if (until != before.blocked_until_ms[family])
            api->queue.on_limited(api->queue.user, (ApiFamily)family, until);
    }
}

/* Keeps a line of the event stream or of a game's; empty: the stream has ended. */
static void record(const ApiCall *call, Text line)
{
    Recording *recording = call->api->recording;
    char name[sizeof "game/" + GAME_ID_SIZE] = "event";
    if (!recording || (call->family != FAMILY_EVENT_STREAM && call->family != FAMILY_GAME_STREAM))
        return;
    if (call->family == FAMILY_GAME_STREAM) {
        text_format(name, sizeof name, "game%s", strrchr(call->url, '/'));
    }
    if (line.len > 0)
        recording_line(recording, text_of(name), line);
    else
        recording_ended(recording, text_of(name));
}

/* Makes the answer and hands it to the owner, for whom the call ends with it. */
static void client_on_done(void *user, const HttpResult *result)
{
    ApiCall *call = user;
    ApiError refusal = { 0 };
    ApiAnswer answer = {
        .outcome = outcome_of(result),
        .family = call->family,
        .status = result->head.status,
        .reason = result->error,
        .is_untrusted = result->outcome == HTTP_UNTRUSTED,
        .oauth_scopes = result->head.oauth_scopes,
        .has_oauth_scopes = result->head.has_oauth_scopes,
        .body = result->body,
        .elapsed_us = result->elapsed_us,
        .unix_s = result->head.unix_s,
    };
    if (result->outcome == HTTP_ANSWERED && answer.outcome != API_OK) {
        api_error_parse(&refusal, result->body);
        answer.reason = refusal.text;
        bool is_no = answer.outcome == API_FORBIDDEN || answer.outcome == API_REFUSED;
        if (is_no && !refusal.is_json && !call->api->dialect)
            answer.outcome = API_SERVER_ERROR; /* by a proxy: no word of the server's */
        answer.limit_key = text_of(refusal.limit_key);
        answer.wait_s =
            refusal.limit_seconds > 0 ? refusal.limit_seconds : result->head.retry_after_s;
    }
    ApiOnAnswer *on_answer = call->is_stream ? call->stream.on_end : call->on_answer;
    void *of_user = call->is_stream ? call->stream.user : call->user;
    if (call->is_stream) { /* a last line without its end */
        call->is_reading = true;
        line_reader_finish(&call->lines);
        call->is_reading = false;
        if (answer.outcome == API_OK)
            record(call, (Text){ 0 });
    }
    bool is_cancelled = call->is_cancelled;
    note_limit(call->api, &answer);
    leave_queue(call);
    call_free(call);
    if (!is_cancelled)
        on_answer(of_user, &answer);
}

/* ---- streams ---- */

static void client_on_keepalive(void *user)
{
    ApiCall *call = user;
    if (call->stream.on_keepalive)
        call->stream.on_keepalive(call->stream.user);
}

/* In Lichess's words. False and no Error for a keep-alive, which is told. */
static bool translate_event(ApiCall *call, Event *out, Text line, Error *err)
{
    struct json_object *json = jsonread_parse(line.at, line.len, err);
    const char *game_id = call->family == FAMILY_GAME_STREAM ? strrchr(call->url, '/') + 1 : "";
    if (!json)
        return false;
    switch (dialect_translate(call->api->dialect, game_id, json)) {
    case DIALECT_EVENT:
        return event_read(out, json, err);
    case DIALECT_KEEPALIVE:
        client_on_keepalive(call);
        break;
    case DIALECT_NO_MEMORY:
        error_set(err, ERR_MEMORY, "no memory");
        break;
    }
    json_object_put(json);
    return false;
}

static bool read_event(ApiCall *call, Event *out, Text line, Error *err)
{
    return call->api->dialect ? translate_event(call, out, line, err)
                              : event_parse(out, line.at, line.len, err);
}

static void client_on_line(void *user, const char *line, size_t len)
{
    ApiCall *call = user;
    Event event;
    Error err = { 0 };
    record(call, (Text){ line, len });
    if (call->stream.on_line) {
        call->stream.on_line(call->stream.user, (Text){ line, len });
    } else if (read_event(call, &event, (Text){ line, len }, &err)) {
        call->stream.on_event(call->stream.user, &event);
        event_release(&event);
    } else if (call->stream.on_skipped && err.text[0] != '\0') {
        call->stream.on_skipped(call->stream.user, (Text){ line, len }, len, &err);
    }
}

static void client_on_skipped(void *user, const char *start, size_t len, size_t line_len)
{
    ApiCall *call = user;
    Error err = { 0 };
    error_set(&err, ERR_RANGE, "a line of %zu bytes", line_len);
    if (call->stream.on_skipped)
        call->stream.on_skipped(call->stream.user, (Text){ start, len }, line_len, &err);
}

static void client_on_sent(void *user)
{
    ApiCall *call = user;
    if (call->stream.on_sent)
        call->stream.on_sent(call->stream.user);
}

static void client_on_head(void *user, const HttpHead *head)
{
    ApiCall *call = user;
    if (!request_is_urgent(call->rank))
        leave_queue(call); /* it lasts long, and delays no other request */
    if (head->status == 200 && call->stream.on_open)
        call->stream.on_open(call->stream.user);
}

static void client_on_bytes(void *user, const char *bytes, size_t len)
{
    ApiCall *call = user;
    call->is_reading = true;
    line_reader_feed(&call->lines, bytes, len);
    call->is_reading = false;
    if (call->is_cancelled)
        call_free(call);
}

/* ---- making calls ---- */

static ApiCall *call_new(Api *api, ApiFamily family, RequestRank rank, Error *err)
{
    ApiCall *call = alloc_zeroed(sizeof *call, "", err);
    if (!call)
        return NULL;
    call->api = api;
    call->family = family;
    call->rank = rank;
    call->next = api->calls;
    if (api->calls)
        api->calls->previous = call;
    api->calls = call;
    return call;
}

static bool start(ApiCall *call, Error *err)
{
    const HttpCallbacks callbacks = {
        .on_sent = call->is_stream ? client_on_sent : NULL,
        .on_head = call->is_stream ? client_on_head : NULL,
        .on_bytes = call->is_stream ? client_on_bytes : NULL,
        .on_done = client_on_done,
        .user = call,
    };
    call->request = http_request(call->api->http, &call->spec, &callbacks, err);
    return call->request;
}

static ApiCall *find_ticket(const Api *api, uint32_t ticket)
{
    ApiCall *call = api->calls;
    while (call && call->ticket != ticket)
        call = call->next;
    return call;
}

/* Sends what may go. Failures are reported from the loop. */
static void pump(Api *api)
{
    uint32_t ticket;
    RequestQueueStep todo;
    while ((todo = request_queue_next(&api->requests, api->queue.limit, clock_now_ms(), &ticket)) !=
           REQUESTS_WAIT) {
        ApiCall *call = find_ticket(api, ticket);
        assert(call && !call->request);
        if (todo == REQUESTS_GIVE_UP) {
            call->why_not = "not sent: it waited too long for its turn";
        } else if (!start(call, NULL)) {
            request_queue_answered(&api->requests, ticket);
            call->why_not = "not sent: no memory";
        }
    }
    set_turn(api);
}

/* Reports one request that was not sent; false: there is none. */
static bool tell_unsent(Api *api)
{
    ApiCall *call = api->calls;
    while (call && !call->why_not)
        call = call->next;
    if (!call)
        return false;
    const ApiAnswer answer = {
        .outcome = API_LIMITED,
        .family = call->family,
        .reason = call->why_not,
    };
    ApiOnAnswer *on_answer = call->is_stream ? call->stream.on_end : call->on_answer;
    void *user = call->is_stream ? call->stream.user : call->user;
    call_free(call);
    on_answer(user, &answer);
    return true;
}

static void client_on_turn(uv_timer_t *timer)
{
    pump(timer->data);
    if (timer->data && tell_unsent(timer->data) && timer->data)
        set_turn(timer->data);
}

/* Takes its turn, at once or later; on failure the call is gone. */
static ApiCall *call_send(ApiCall *call, const char *path, const HttpSpec *spec, Error *err)
{
    Api *api = call->api;
    Buf url;
    buf_init(&url, BASE_URL_SIZE + CALL_PATH_SIZE);
    bool ok = buf_printf(&url, "%s%s", api->base_url, path);
    call->url = ok ? buf_take(&url) : NULL;
    call->body = malloc(spec->body.len + 1);
    buf_release(&url);
    if (!call->url || !call->body) {
        error_set(err, ERR_MEMORY, "no memory");
        call_free(call);
        return NULL;
    }
    if (spec->body.len > 0)
        memcpy(call->body, spec->body.at, spec->body.len);
    call->spec = *spec;
    call->spec.url = call->url;
    call->spec.body = (Text){ call->body, spec->body.len };
    call->spec.authorize = !spec->is_token_body;
    if (!api->timer || request_is_urgent(call->rank)) {
        if (!start(call, err)) {
            call_free(call);
            return NULL;
        }
        if (api->timer)
            request_queue_sent_urgent(&api->requests, call->rank, clock_now_ms());
        return call;
    }
    do
        call->ticket = ++api->last_ticket;
    while (call->ticket == 0);
    if (!request_queue_ask(&api->requests, call->ticket, call->rank, call->family,
                           clock_now_ms())) {
        error_set(err, ERR_RANGE, "too many requests wait for their turn");
        call_free(call);
        return NULL;
    }
    pump(api);
    return call;
}

ApiCall *call_make(Api *api, const CallSpec *spec, ApiOnAnswer *on_answer, void *user, Error *err)
{
    ApiCall *call = call_new(api, spec->family, spec->rank, err);
    if (!call)
        return NULL;
    const HttpSpec http = {
        .method = spec->method,
        .body = spec->body,
        .timeout_ms = spec->timeout_ms > 0 ? spec->timeout_ms : CALL_TIMEOUT_MS,
        .is_repeatable = spec->is_repeatable,
        .fresh_connection = spec->fresh_connection,
        .is_token_body = spec->is_token_body,
        .body_max = spec->body_max,
    };
    call->on_answer = on_answer;
    call->user = user;
    return call_send(call, spec->path, &http, err);
}

ApiCall *call_stream(Api *api, const CallSpec *spec, const ApiStreamCallbacks *callbacks,
                     Error *err)
{
    static const LineReaderCallbacks lines = { client_on_line, client_on_keepalive,
                                               client_on_skipped, NULL };
    assert((callbacks->on_event || callbacks->on_line) && callbacks->on_end);
    ApiCall *call = call_new(api, spec->family, spec->rank, err);
    if (!call)
        return NULL;
    LineReaderCallbacks mine = lines;
    mine.user = call;
    call->is_stream = true;
    call->stream = *callbacks;
    line_reader_init(&call->lines, &mine, LINE_READER_MAX);
    const HttpSpec http = { .method = spec->method,
                            .body = spec->body,
                            .silence_ms = spec->silence_ms > 0 ? spec->silence_ms : SILENCE_MS };
    return call_send(call, spec->path, &http, err);
}

bool api_new(Api **out, Http *http, const char *base_url, Error *err)
{
    Api *api = calloc(1, sizeof *api);
    if (!api || strlen(base_url) >= BASE_URL_SIZE || !(api->base_url = strdup(base_url))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(api);
        return false;
    }
    api->http = http;
    *out = api;
    return true;
}

bool api_speak(Api *api, ServerKind server, Error *err)
{
    assert(!api->calls && !api->dialect);
    return dialect_new(&api->dialect, server, err);
}

bool api_queue(Api *api, const ApiQueue *queue, Error *err)
{
    assert(!api->timer && !api->calls);
    api->timer = calloc(1, sizeof *api->timer);
    if (!api->timer) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    uv_timer_init(queue->loop, api->timer);
    api->timer->data = api;
    api->queue = *queue;
    request_queue_init(&api->requests);
    return true;
}

void api_record(Api *api, Recording *recording)
{
    api->recording = recording;
}

const RequestQueue *api_requests(const Api *api)
{
    return &api->requests;
}

static void client_on_timer_closed(uv_handle_t *handle)
{
    free(handle);
}

void api_free(Api *api)
{
    if (!api)
        return;
    for (ApiCall *call = api->calls, *next; call; call = next) {
        next = call->next;
        assert(!call->is_reading);
        api_cancel(call);
    }
    dialect_free(api->dialect);
    if (api->timer) {
        api->timer->data = NULL;
        uv_close((uv_handle_t *)api->timer, client_on_timer_closed);
    }
    free(api->base_url);
    free(api);
}

void api_cancel(ApiCall *call)
{
    if (call->is_reading) { /* we are inside one of its callbacks */
        if (!call->is_cancelled)
            http_cancel(call->request);
        call->is_cancelled = true;
        line_reader_stop(&call->lines);
        return;
    }
    if (call->request)
        http_cancel(call->request);
    leave_queue(call);
    call_free(call);
}
