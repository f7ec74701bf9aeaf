/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/http.h"

#include "bot/ops/timer.h"
#include "bot/ops/version.h"
#include "bot/http/ca_file.h"
#include "bot/http/curl_loop.h"
#include "bot/http/flood.h"
#include "bot/http/http_setup.h"
#include "bot/http/tls_guard.h"
#include "engine/base/alloc.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <strings.h>

enum {
    SILENCE_TICK_MS = 1000,
    SILENCE_TICKS_MISSED = 3, /* this many in a row: we slept, not the server */
    PENDING_MAX = 8 << 20,    /* bytes of a stream between two deliveries */
    DELIVERED_MAX = 64 << 10, /* bytes of a stream in one turn of the loop, */
    DELIVERED_LINES = 2048,   /* and lines, which take longer to read the shorter they are */
    PENDING_KEPT = 4 * 8192,  /* memory that a stream may keep between two deliveries */
    RETRY_AFTER_MAX_S = 86400,
    DATE_SIZE = 40,
};

/* Connections that requests share, as libcurl keeps them. */
typedef struct Pool {
    Http *http;
    CurlLoop *curl;
    CURLM *multi;    /* of `curl` */
    size_t requests; /* that libcurl has in hand */
    bool has_sent;   /* a request went out since those that wait for a connection were woken */
    struct Pool *older;
} Pool;

static const char too_much[] = "the server sends more than we can take";

struct HttpRequest {
    Http *http;
    HttpRequest *previous, *next; /* in http->requests */
    HttpRequest *next_ready;      /* in the queue of requests that have something to deliver */
    bool is_ready;
    CURL *easy; /* NULL once libcurl is done with it */
    Pool *pool; /* that `easy` is in */
    HttpCallbacks callbacks;
    int64_t started_us;
    int64_t silence_ms, heard_at_ms;
    Buf pending;      /* a stream's bytes until they are delivered */
    size_t delivered; /* of `pending` */
    Flood flood;
    Buf body;      /* what is collected for on_done */
    HttpHead head; /* its texts lie here: */
    char content_type[100], oauth_scopes[400], etag[HTTP_ETAG_SIZE];
    struct curl_slist *headers; /* of its own; NULL: none */
    bool goes_out, has_head;    /* not yet reported */
    bool is_post, is_repeatable;
    bool was_sent;     /* the connection stood, and the request went out on it */
    long before_bytes; /* that libcurl had sent for it until then: a proxy's CONNECT */
    bool is_cancelled, is_done, is_too_large;
    bool is_coded;      /* the body comes in a coding that nobody asked for */
    bool is_unanswered; /* a POST that was sent, and is not sent again */
    HttpOutcome outcome;
    int64_t sent_us;
    char error[CURL_ERROR_SIZE];
};

struct Http {
    uv_loop_t *loop;
    Pool *pool; /* of new requests; the older ones behind it are closed when nothing is on them */
    TlsGuard guard;
    uv_timer_t silence_timer; /* runs while there are streams to watch */
    int64_t silence_ticked_ms;
    HttpRequest *requests;
    size_t request_count;
    HttpRequest *ready, **ready_end;
    HttpRequest *delivering; /* its callback is running */
    bool is_delivering;
    struct curl_slist *authorization;
    char *origin, *ca_file;
    char user_agent[200];
    int open_parts; /* that the loop has not closed yet: the timer and the pools */
    bool is_closing;
    void (*on_closed)(void *user);
    void *closed_user;
};

/* ---- pools ---- */

static void http_on_curl_action(void *user);
static void http_on_part_closed(void *user);

/* In front of those that are there; false: no memory, and those stay. */
static bool pool_new(Http *http, Error *err)
{
    Pool *pool = alloc_zeroed(sizeof *pool, "", err);
    if (!pool)
        return false;
    if (!curl_loop_new(&pool->curl, http->loop, http_on_curl_action, http, err)) {
        free(pool);
        return false;
    }
    pool->http = http;
    pool->multi = curl_loop_multi(pool->curl);
    pool->older = http->pool;
    http->pool = pool;
    http->open_parts++;
    return true;
}

static void http_on_pool_closed(void *user)
{
    Pool *pool = user;
    Http *http = pool->http;
    free(pool);
    http_on_part_closed(http);
}

/* A connection may be dead while the other end still acknowledges what we send: nothing tells, and
 * over HTTP/2 libcurl goes on to use it for as long as anything is on it. So from the first
 * time-out or silence on, new requests go on new connections, and the older ones end with what they
 * carry. */
static void leave_pool(const Pool *pool)
{
    Error err = { 0 };
    bool is_newest = pool == pool->http->pool;
    bool has_left = is_newest && pool_new(pool->http, &err);
    (void)has_left; /* no memory: rather on the old connections than not at all */
}

static void close_idle_pools(Http *http)
{
    for (Pool **at = &http->pool->older; *at;) {
        Pool *pool = *at;
        if (pool->requests > 0) {
            at = &pool->older;
            continue;
        }
        *at = pool->older;
        curl_loop_close(pool->curl, http_on_pool_closed, pool);
    }
}

/* A request waits for a connection that another one is making, as they may share it. When that one
 * turns out to speak HTTP/1.1, libcurl 8.14 wakes those that wait only when the other request has
 * ended, and a stream never does. It looks at them whenever a handle is taken out. */
static void wake_waiting(const Http *http, Pool *pool)
{
    if (!pool->has_sent)
        return;
    pool->has_sent = false;
    bool any = false;
    for (const HttpRequest *request = http->requests; request && !any; request = request->next)
        any = request->pool == pool && !request->was_sent;
    CURL *none = any ? curl_easy_init() : NULL;
    if (none && curl_multi_add_handle(pool->multi, none) == CURLM_OK)
        curl_multi_remove_handle(pool->multi, none);
    curl_easy_cleanup(none);
}

/* ---- requests: what libcurl says of them ---- */

static void make_ready(HttpRequest *request)
{
    if (request->is_ready)
        return;
    request->is_ready = true;
    request->next_ready = NULL;
    *request->http->ready_end = request;
    request->http->ready_end = &request->next_ready;
}

static HttpRequest *take_ready(Http *http)
{
    HttpRequest *request = http->ready;
    if (!request)
        return NULL;
    http->ready = request->next_ready;
    if (!http->ready)
        http->ready_end = &http->ready;
    request->is_ready = false;
    return request;
}

static void forget_ready(HttpRequest *request)
{
    Http *http = request->http;
    if (!request->is_ready)
        return;
    HttpRequest **at = &http->ready;
    while (*at != request)
        at = &(*at)->next_ready;
    *at = request->next_ready;
    if (!*at)
        http->ready_end = at;
    request->is_ready = false;
}

static void drop_easy(HttpRequest *request)
{
    if (!request->easy)
        return;
    if (request->pool) {
        curl_multi_remove_handle(request->pool->multi, request->easy);
        request->pool->requests--;
        request->pool = NULL;
    }
    curl_easy_cleanup(request->easy);
    request->easy = NULL;
}

static void request_free(HttpRequest *request)
{
    Http *http = request->http;
    forget_ready(request);
    drop_easy(request);
    if (request->previous)
        request->previous->next = request->next;
    else
        http->requests = request->next;
    if (request->next)
        request->next->previous = request->previous;
    http->request_count--;
    buf_release(&request->pending);
    buf_release(&request->body);
    curl_slist_free_all(request->headers);
    free(request);
}

/* Copies a header's value into its place, where the head's text then lies. */
static Text keep_header(const HttpRequest *request, const char *name, char *place, size_t size)
{
    struct curl_header *header;
    if (curl_easy_header(request->easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return (Text){ 0 };
    size_t len = strlen(header->value);
    if (len >= size)
        return (Text){ 0 };
    memcpy(place, header->value, len + 1);
    return (Text){ place, len };
}

static int64_t read_date(const HttpRequest *request)
{
    char text[DATE_SIZE];
    time_t unix_s =
        keep_header(request, "date", text, sizeof text).at ? curl_getdate(text, NULL) : 0;
    return unix_s > 0 ? unix_s : 0;
}

static void head_end(HttpRequest *request)
{
    long status = 0, version = 0;
    curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(request->easy, CURLINFO_HTTP_VERSION, &version);
    HttpHead *head = &request->head;
    /* 100 Continue and its like: the real head follows; a second one ends trailers. */
    if (status < 200 || head->status != 0)
        return;
    head->status = (int)status;
    head->http_version = version == CURL_HTTP_VERSION_1_0   ? 10
                         : version == CURL_HTTP_VERSION_1_1 ? 11
                         : version >= CURL_HTTP_VERSION_2_0 ? 20
                                                            : 0;
    head->content_type =
        keep_header(request, "content-type", request->content_type, sizeof request->content_type);
    head->oauth_scopes =
        keep_header(request, "x-oauth-scopes", request->oauth_scopes, sizeof request->oauth_scopes);
    head->has_oauth_scopes = head->oauth_scopes.at != NULL;
    head->etag = keep_header(request, "etag", request->etag, sizeof request->etag);
    if (http_has_control(request->etag))
        head->etag = (Text){ 0 };
    curl_off_t retry_after_s = 0;
    curl_easy_getinfo(request->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
    head->retry_after_s = retry_after_s <= RETRY_AFTER_MAX_S ? retry_after_s : 0;
    head->unix_s = read_date(request);
    request->has_head = true;
    make_ready(request);
}

/* libcurl undoes every transfer coding, asked for or not. A few KiB of nested ones keep it busy for
 * hours in one call, with no byte for us that a guard could count. */
static bool is_foreign_coding(Text line)
{
    static const char name[] = "transfer-encoding:";
    size_t name_len = sizeof name - 1;
    if (line.len < name_len || strncasecmp(line.at, name, name_len) != 0)
        return false;
    Text coding = text_trimmed((Text){ line.at + name_len, line.len - name_len }, " \t\r\n");
    return coding.len != strlen("chunked") || strncasecmp(coding.at, "chunked", coding.len) != 0;
}

/* From libcurl; only takes notes, so that no callback runs in here. */
static size_t http_on_header(char *line, size_t size, size_t count, void *user)
{
    HttpRequest *request = user;
    size_t len = size * count;
    request->heard_at_ms = clock_now_ms();
    request->is_coded = is_foreign_coding((Text){ line, len });
    if (request->is_coded)
        return 0; /* libcurl ends the transfer */
    if (len > 0 && (line[0] == '\r' || line[0] == '\n'))
        head_end(request);
    return len;
}

static size_t http_on_body(char *bytes, size_t size, size_t count, void *user)
{
    HttpRequest *request = user;
    size_t len = size * count;
    bool is_streamed = request->callbacks.on_bytes && request->head.status == 200;
    int64_t now_ms = clock_now_ms();
    request->heard_at_ms = now_ms;
    if ((is_streamed && !flood_allows(&request->flood, bytes, len, now_ms)) ||
        !buf_put(is_streamed ? &request->pending : &request->body, bytes, len)) {
        request->is_too_large = true;
        return 0; /* libcurl ends the transfer */
    }
    if (is_streamed)
        make_ready(request);
    return len;
}

/* libcurl sends a request again by itself when a kept connection ends without an answer. A command
 * may have been carried out all the same: its owner decides, who can see what became of it. */
static bool may_go_again(HttpRequest *request, long sent_bytes)
{
    bool is_first_time = sent_bytes == request->before_bytes; /* nothing of it has gone out */
    bool may_go = !request->is_post || is_first_time || request->is_repeatable;
    if (!is_first_time)
        request->is_repeatable = false;
    return may_go;
}

/* From libcurl: the connection stands, and the request goes out on it. */
static int http_on_before(void *user, char *to_ip, char *from_ip, int to_port, int from_port)
{
    HttpRequest *request = user;
    long sent_bytes = 0;
    (void)to_ip;
    (void)from_ip;
    (void)to_port;
    (void)from_port;
    curl_easy_getinfo(request->easy, CURLINFO_REQUEST_SIZE, &sent_bytes);
    if (!request->was_sent)
        request->before_bytes = sent_bytes;
    else
        request->is_unanswered = !may_go_again(request, sent_bytes);
    request->was_sent = true;
    request->pool->has_sent = true;
    if (request->is_unanswered)
        return CURL_PREREQFUNC_ABORT;
    if (request->is_repeatable) /* the other kept connections may have ended as well */
        curl_easy_setopt(request->easy, CURLOPT_FRESH_CONNECT, 1L);
    request->goes_out = request->callbacks.on_sent != NULL;
    if (request->goes_out)
        make_ready(request);
    return CURL_PREREQFUNC_OK;
}

static HttpOutcome outcome_of(const HttpRequest *request, CURLcode code)
{
    if (request->is_too_large)
        return HTTP_TOO_LARGE;
    if (code == CURLE_OK)
        return HTTP_ANSWERED;
    /* When a POST goes again, what ends the second try says nothing of the first. */
    if (request->is_post && request->was_sent)
        return code == CURLE_OPERATION_TIMEDOUT ? HTTP_TIMED_OUT : HTTP_BROKEN;
    switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CIPHER:
        return HTTP_UNTRUSTED;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
        return HTTP_UNREACHABLE;
    default:
        if (!request->was_sent)
            return HTTP_UNREACHABLE;
        return code == CURLE_OPERATION_TIMEDOUT ? HTTP_TIMED_OUT : HTTP_BROKEN;
    }
}

static void set_error(HttpRequest *request, const char *text)
{
    text_format_cut(request->error, sizeof request->error, "%s", text);
}

static void request_finish(HttpRequest *request, HttpOutcome outcome, const char *error)
{
    curl_off_t sent_us = 0;
    curl_easy_getinfo(request->easy, CURLINFO_PRETRANSFER_TIME_T, &sent_us);
    request->sent_us = sent_us;
    request->outcome = outcome;
    request->is_done = true;
    if (outcome == HTTP_ANSWERED)
        request->error[0] = '\0';
    else if (request->error[0] == '\0' || outcome == HTTP_SILENT)
        set_error(request, error);
    if (outcome == HTTP_TOO_LARGE)
        set_error(request, request->callbacks.on_bytes ? too_much : "the answer is too large");
    if (request->is_coded)
        set_error(request, "the server sends an encoding that nobody asked for");
    if (request->is_unanswered)
        set_error(request, "the connection ended before the answer");
    if (outcome == HTTP_TIMED_OUT || outcome == HTTP_SILENT)
        leave_pool(request->pool);
    drop_easy(request);
    make_ready(request);
}

/* True if a request failed. */
static bool drain_pool(Http *http, const Pool *pool)
{
    CURLMsg *message;
    int left;
    bool has_finished = false;
    while ((message = curl_multi_info_read(pool->multi, &left))) {
        HttpRequest *request = NULL;
        CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE ||
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request) != CURLE_OK)
            continue;
        if (code != CURLE_OK && http->guard.has_cut)
            set_error(request, too_much);
        request_finish(request, outcome_of(request, code), curl_easy_strerror(code));
        has_finished = true;
    }
    return has_finished;
}

static void drain_finished(Http *http)
{
    bool has_finished = false;
    for (const Pool *pool = http->pool; pool; pool = pool->older)
        has_finished = drain_pool(http, pool) || has_finished;
    http->guard.has_cut = http->guard.has_cut && !has_finished;
}

/* ---- handing on what came ---- */

static void deliver_done(HttpRequest *request)
{
    HttpResult result = {
        .outcome = request->outcome,
        .head = request->head,
        .body = { buf_view(&request->body), request->body.len },
        .error = request->error,
        .elapsed_us = clock_now_us() - request->started_us,
        .sent_us = request->sent_us,
    };
    request->callbacks.on_done(request->callbacks.user, &result);
}

/* How many of these bytes make one turn. */
static size_t one_turn(const char *bytes, size_t len)
{
    int lines = 0;
    for (size_t i = 0; i < len; i++) {
        lines += bytes[i] == '\n';
        if (lines == DELIVERED_LINES || i + 1 == DELIVERED_MAX)
            return i + 1;
    }
    return len;
}

/* So much that no stream holds up the others; the rest stays in `pending`. */
static void deliver_bytes(HttpRequest *request)
{
    const char *bytes = request->pending.text + request->delivered;
    size_t len = one_turn(bytes, request->pending.len - request->delivered);
    if (len == 0)
        return;
    request->delivered += len;
    request->callbacks.on_bytes(request->callbacks.user, bytes, len);
    if (request->delivered < request->pending.len)
        return;
    request->delivered = 0;
    if (request->pending.capacity <= PENDING_KEPT)
        buf_reset(&request->pending); /* a stream's next line needs the memory again */
    else
        buf_release(&request->pending);
}

/* What one request has to say in this turn; it is gone afterwards if that was all, or if it was
 * cancelled. */
static void deliver(HttpRequest *request)
{
    Http *http = request->http;
    http->delivering = request;
    if (request->goes_out) {
        request->goes_out = false;
        request->callbacks.on_sent(request->callbacks.user);
    }
    if (request->has_head && !request->is_cancelled) {
        request->has_head = false;
        if (request->callbacks.on_head)
            request->callbacks.on_head(request->callbacks.user, &request->head);
    }
    if (!request->is_cancelled)
        deliver_bytes(request);
    bool has_more = request->pending.len > 0;
    if (!request->is_cancelled && request->is_done && !has_more)
        deliver_done(request);
    http->delivering = NULL;
    if (request->is_cancelled || (request->is_done && !has_more))
        request_free(request);
    else if (has_more)
        curl_loop_act_soon(http->pool->curl);
}

/* After each action of libcurl's: gather what is finished, then call the owners. They may start and
 * cancel requests, and close us; the Http itself lives until the loop has closed its handles. */
static void finish_actions(Http *http)
{
    if (http->is_closing || http->is_delivering)
        return;
    drain_finished(http);
    for (Pool *pool = http->pool; pool; pool = pool->older)
        wake_waiting(http, pool);
    http->is_delivering = true;
    HttpRequest *request;
    while (!http->is_closing && (request = take_ready(http)))
        deliver(request);
    for (request = http->requests; !http->is_closing && request; request = request->next)
        if (request->pending.len > 0)
            make_ready(request); /* in the next turn */
    http->is_delivering = false;
    if (!http->is_closing)
        close_idle_pools(http);
}

/* ---- silence ---- */

static void http_on_silence_tick(uv_timer_t *timer)
{
    Http *http = timer->data;
    int64_t now_ms = clock_now_ms();
    /* After a halt of our own (suspended, starved) the bytes may lie unread: look again later. */
    bool we_slept =
        now_ms - http->silence_ticked_ms > SILENCE_TICKS_MISSED * (int64_t)SILENCE_TICK_MS;
    http->silence_ticked_ms = now_ms;
    bool any = false;
    for (HttpRequest *request = http->requests; request; request = request->next) {
        if (request->silence_ms == 0 || request->is_done)
            continue;
        any = true;
        if (we_slept)
            request->heard_at_ms = now_ms;
        if (now_ms - request->heard_at_ms < request->silence_ms)
            continue;
        request_finish(request, HTTP_SILENT, "no sign of life from the server");
    }
    if (!any)
        uv_timer_stop(&http->silence_timer);
    finish_actions(http);
}

/* ---- the header's functions ---- */

static void http_free(Http *http)
{
    http_authorization_free(http->authorization);
    free(http->origin);
    free(http->ca_file);
    free(http);
}

static void http_on_curl_action(void *user)
{
    Http *http = user;
    tls_guard_call_over(&http->guard);
    finish_actions(http);
}

bool http_new(Http **out, uv_loop_t *loop, const HttpOptions *options, Error *err)
{
    const char *ca_file =
        options->ca_file && options->ca_file[0] ? options->ca_file : ca_file_find();
    Http *http = alloc_zeroed(sizeof *http, "", err);
    if (!http)
        return false;
    http->ready_end = &http->ready;
    http->origin = strdup(options->origin);
    http->ca_file = ca_file ? strdup(ca_file) : NULL;
    text_format(http->user_agent, sizeof http->user_agent, "castled/%s (chess daemon)",
                version_text());
    bool ok = http->origin && (!ca_file || http->ca_file);
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    if (ok && options->token &&
        !(http->authorization = http_authorization_new(options->token, options->header))) {
        error_set(err, ERR_INVALID, "the token cannot be sent");
        ok = false;
    }
    http->loop = loop;
    if (!ok || !pool_new(http, err)) {
        http_free(http);
        return false;
    }
    tls_guard_init(&http->guard, clock_now_ms());
    timer_init(loop, &http->silence_timer, http);
    http->open_parts++;
    *out = http;
    return true;
}

bool http_set_user(Http *http, Text name, Error *err)
{
    char agent[sizeof http->user_agent];
    bool ok = name.len > 0 && text_format_fits(agent, sizeof agent, "castled/%s user:%.*s",
                                               version_text(), TEXT_ARGS(name));
    for (size_t i = 0; ok && i < name.len; i++)
        ok = name.at[i] > ' ' && name.at[i] < 0x7f;
    if (!ok) {
        error_set(err, ERR_INVALID, "not a user name");
        return false;
    }
    memcpy(http->user_agent, agent, sizeof agent);
    return true;
}

HttpRequest *http_request(Http *http, const HttpSpec *spec, const HttpCallbacks *callbacks,
                          Error *err)
{
    CHECK(!http->is_closing);
    assert(callbacks->on_done);
    if (!http_may_send(spec, http->origin, http->authorization, err))
        return NULL;
    HttpRequest *request = alloc_zeroed(sizeof *request, "", err);
    if (!request)
        return NULL;
    request->http = http;
    request->callbacks = *callbacks;
    request->is_post = spec->method == HTTP_POST;
    request->is_repeatable = request->is_post && spec->is_repeatable;
    request->silence_ms = spec->silence_ms;
    request->started_us = clock_now_us();
    request->heard_at_ms = request->started_us / 1000;
    buf_init(&request->pending, PENDING_MAX);
    flood_init(&request->flood, request->heard_at_ms);
    buf_init(&request->body, spec->body_max > 0 ? spec->body_max : HTTP_BODY_MAX);
    request->next = http->requests;
    if (http->requests)
        http->requests->previous = request;
    http->requests = request;
    http->request_count++;
    request->easy = curl_easy_init();
    HttpSetup setup = { .user_agent = http->user_agent,
                        .ca_file = http->ca_file,
                        .authorization = http->authorization,
                        .guard = &http->guard,
                        .is_fresh_connection = spec->fresh_connection,
                        .user = request,
                        .error = request->error,
                        .on_header = http_on_header,
                        .on_body = http_on_body,
                        .on_before = http_on_before };
    if (!request->easy || !http_setup(request->easy, spec, &setup, &request->headers)) {
        error_set(err, ERR_MEMORY, "libcurl refuses the request");
        request_free(request);
        return NULL;
    }
    if (curl_multi_add_handle(http->pool->multi, request->easy) != CURLM_OK) {
        error_set(err, ERR_MEMORY, "libcurl takes no more requests");
        request_free(request);
        return NULL;
    }
    request->pool = http->pool;
    request->pool->requests++;
    if (spec->silence_ms > 0 && !uv_is_active((uv_handle_t *)&http->silence_timer)) {
        http->silence_ticked_ms = clock_now_ms();
        uv_timer_start(&http->silence_timer, http_on_silence_tick, SILENCE_TICK_MS,
                       SILENCE_TICK_MS);
    }
    return request;
}

void http_cancel(HttpRequest *request)
{
    if (request->http->delivering == request) {
        request->is_cancelled = true; /* deliver() frees it when the callback returns */
        drop_easy(request);
        return;
    }
    Http *http = request->http;
    request_free(request);
    if (!http->is_delivering && !http->is_closing)
        close_idle_pools(http);
}

void http_distrust(Http *http, const char *why)
{
    leave_pool(http->pool);
    for (HttpRequest *request = http->requests; request; request = request->next)
        if (!request->is_done)
            request_finish(request, HTTP_BROKEN, why);
    curl_loop_act_soon(http->pool->curl);
}

size_t http_active(const Http *http)
{
    return http->request_count;
}

static void http_on_part_closed(void *user)
{
    Http *http = user;
    if (--http->open_parts > 0)
        return;
    void (*on_closed)(void *) = http->on_closed;
    void *of_user = http->closed_user;
    http_free(http);
    if (on_closed)
        on_closed(of_user);
}

static void http_on_timer_closed(uv_handle_t *handle)
{
    http_on_part_closed(handle->data);
}

void http_close(Http *http, void (*on_closed)(void *user), void *user)
{
    CHECK(!http->is_closing);
    http->on_closed = on_closed;
    http->closed_user = user;
    for (HttpRequest *request = http->requests, *next; request; request = next) {
        next = request->next;
        http_cancel(request);
    }
    http->is_closing = true;
    for (Pool *pool = http->pool, *older; pool; pool = older) {
        older = pool->older;
        curl_loop_close(pool->curl, http_on_pool_closed, pool);
    }
    uv_close((uv_handle_t *)&http->silence_timer, http_on_timer_closed);
}
