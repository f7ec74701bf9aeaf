/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I5, I6, I7 and I15 of bot/README.md. */
#include "bot/http/http.h"
#include "bot/ops/version.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "tests/support/local_server.h"

#include <json-c/json.h>
#include <signal.h>

/* One request and what its callbacks said. */
typedef struct Call {
    HttpRequest *request;
    Http *http;
    int sents, heads, dones;
    HttpOutcome outcome;
    int status;
    Buf body, streamed;
    char content_type[100], scopes[100], etag[HTTP_ETAG_SIZE], error[300];
    bool has_scopes;
    int64_t retry_after_s, unix_s, elapsed_us;
    size_t pieces;
    size_t cancel_after_pieces; /* 0: never */
    struct Call *then;          /* started when this one is done */
    HttpSpec then_spec;
} Call;

static LocalServer server;
static uv_loop_t loop;

static void call_init(Call *call)
{
    *call = (Call){ 0 };
    buf_init(&call->body, 1 << 24);
    buf_init(&call->streamed, 1 << 24);
}

static void call_release(Call *call)
{
    buf_release(&call->body);
    buf_release(&call->streamed);
}

static void on_sent(void *user)
{
    Call *call = user;
    assert_int_equal(call->heads, 0);
    call->sents++;
}

static void on_head(void *user, const HttpHead *head)
{
    Call *call = user;
    call->heads++;
    call->status = head->status;
}

static void on_bytes(void *user, const char *bytes, size_t len)
{
    Call *call = user;
    assert_true(buf_put(&call->streamed, bytes, len));
    if (++call->pieces == call->cancel_after_pieces)
        http_cancel(call->request);
}

static void start(Http *http, Call *call, const HttpSpec *spec, bool streamed);

static void copy_text(char *out, size_t size, Text text)
{
    assert_true(text.len < size);
    memcpy(out, text.at, text.len);
    out[text.len] = '\0';
}

static void on_done(void *user, const HttpResult *result)
{
    Call *call = user;
    call->dones++;
    call->outcome = result->outcome;
    call->status = result->head.status;
    call->retry_after_s = result->head.retry_after_s;
    call->unix_s = result->head.unix_s;
    call->has_scopes = result->head.has_oauth_scopes;
    call->elapsed_us = result->elapsed_us;
    if (result->head.content_type.at)
        copy_text(call->content_type, sizeof call->content_type, result->head.content_type);
    if (result->head.oauth_scopes.at)
        copy_text(call->scopes, sizeof call->scopes, result->head.oauth_scopes);
    if (result->head.etag.at)
        copy_text(call->etag, sizeof call->etag, result->head.etag);
    copy_text(call->error, sizeof call->error, text_of(result->error));
    assert_true(buf_put(&call->body, result->body.at, result->body.len));
    assert_int_equal(result->outcome == HTTP_ANSWERED, result->error[0] == '\0');

    if (call->then)
        start(call->http, call->then, &call->then_spec, false);
}

static const char *url_of(const char *path)
{
    static char urls[8][300]; /* a few at a time */
    static int next;
    char *url = urls[next++ % 8];
    assert_true(snprintf(url, 300, "%s%s", server.origin, path) > 0);
    return url;
}

static void start(Http *http, Call *call, const HttpSpec *spec, bool streamed)
{
    HttpCallbacks callbacks = { .on_sent = on_sent,
                                .on_head = on_head,
                                .on_bytes = streamed ? on_bytes : NULL,
                                .on_done = on_done,
                                .user = call };
    Error err = { 0 };
    call->http = http;
    call->request = http_request(http, spec, &callbacks, &err);
    if (!call->request)
        fail_msg("%s", err.text);
    assert_int_equal(call->dones, 0); /* never from inside */
}

static Http *open_http(void)
{
    HttpOptions options = { server.origin, server.ca_file, "lip_secret", NULL };
    Http *http;
    assert_true(http_new(&http, &loop, &options, NULL));
    return http;
}

static void note_closed(void *user)
{
    *(bool *)user = true;
}

static void close_http(Http *http)
{
    bool closed = false;
    http_close(http, note_closed, &closed);
    assert_false(closed);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0); /* nothing is left on the loop */
    assert_true(closed);
}

/* Runs the loop until every call is done. */
static void run_until(Call *calls, size_t count)
{
    int64_t end = clock_now_ms() + 20000;
    for (;;) {
        size_t done = 0;
        for (size_t i = 0; i < count; i++)
            done += calls[i].dones > 0;
        if (done == count)
            return;
        assert_true(clock_now_ms() < end);
        uv_run(&loop, UV_RUN_ONCE);
    }
}

/* One GET that is not streamed. */
static void get(Http *http, Call *call, const char *path)
{
    HttpSpec spec = { .url = url_of(path), .timeout_ms = 10000 };
    call_init(call);
    start(http, call, &spec, false);
    run_until(call, 1);
}

static void stream(Http *http, Call *call, const char *path, int64_t silence_ms)
{
    HttpSpec spec = { .url = url_of(path), .silence_ms = silence_ms };
    call_init(call);
    start(http, call, &spec, true);
    run_until(call, 1);
}

static struct json_object *echo_of(const Call *call)
{
    struct json_object *said = json_tokener_parse(buf_view(&call->body));
    assert_non_null(said);
    return said;
}

static const char *member(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value) : "";
}

static void assert_agent(struct json_object *headers, const char *rest)
{
    char agent[200];
    int len = snprintf(agent, sizeof agent, "castled/%s%s", version_text(), rest);
    assert_in_range(len, 1, sizeof agent - 1);
    assert_string_equal(member(headers, "user-agent"), agent);
}

TEST(a_request_says_who_asks_and_what)
{
    Http *http = open_http();
    Call call;
    HttpSpec spec = { .method = HTTP_POST,
                      .url = url_of("/echo?x=1"),
                      .body = text_of("reason=later"),
                      .authorize = true,
                      .timeout_ms = 10000 };
    call_init(&call);
    start(http, &call, &spec, false);
    assert_int_equal(http_active(http), 1);
    run_until(&call, 1);
    assert_int_equal(http_active(http), 0);
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(call.status, 200);
    assert_int_equal(call.heads, 1);
    assert_string_equal(call.content_type, "application/json");
    assert_true(call.has_scopes);
    assert_string_equal(call.scopes, "bot:play,challenge:read");
    struct json_object *said = echo_of(&call), *headers = NULL;
    assert_true(json_object_object_get_ex(said, "headers", &headers));
    assert_string_equal(member(said, "method"), "POST");
    assert_string_equal(member(said, "path"), "/echo?x=1");
    assert_string_equal(member(said, "body"), "reason=later");
    assert_string_equal(member(headers, "authorization"), "Bearer lip_secret");
    assert_string_equal(member(headers, "content-type"), "application/x-www-form-urlencoded");
    assert_agent(headers, " (chess daemon)");
    assert_string_equal(member(headers, "accept-encoding"), "");
    json_object_put(said);
    call_release(&call);

    assert_true(http_set_user(http, text_of("Castled-Bot"), NULL));
    assert_false(http_set_user(http, text_of("two words"), NULL));
    spec.url = url_of("/echo");
    spec.body = (Text){ 0 };
    spec.authorize = false;
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    said = echo_of(&call);
    assert_true(json_object_object_get_ex(said, "headers", &headers));
    assert_string_equal(member(headers, "content-length"), "0");
    assert_string_equal(member(headers, "authorization"), "");
    assert_agent(headers, " user:Castled-Bot");
    json_object_put(said);
    call_release(&call);
    close_http(http);
}

TEST(a_token_can_be_asked_about)
{
    Http *http = open_http(), *without = NULL;
    Call call;
    HttpSpec spec = {
        .method = HTTP_POST, .url = url_of("/echo"), .is_token_body = true, .timeout_ms = 10000
    };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    struct json_object *said = echo_of(&call), *headers = NULL;
    assert_true(json_object_object_get_ex(said, "headers", &headers));
    assert_string_equal(member(said, "body"), "lip_secret");
    assert_string_equal(member(headers, "content-type"), "text/plain");
    assert_string_equal(member(headers, "authorization"), "");
    json_object_put(said);
    call_release(&call);
    Error err = { 0 };
    const HttpCallbacks callbacks = { .on_done = on_done, .user = &call };
    spec.url = "https://example.org/echo"; /* another owner's */
    assert_null(http_request(http, &spec, &callbacks, &err));
    assert_non_null(strstr(err.text, "the token is for"));
    spec.url = url_of("/echo");
    HttpOptions options = { .origin = server.origin, .ca_file = server.ca_file };
    assert_true(http_new(&without, &loop, &options, NULL));
    err = (Error){ 0 };
    assert_null(http_request(without, &spec, &callbacks, &err));
    assert_string_equal(err.text, "there is no token");
    close_http(without);
    close_http(http);
}

TEST(requests_in_a_row_share_a_connection)
{
    Http *http = open_http();
    Call call;
    get(http, &call, "/connections");
    int before = atoi(buf_view(&call.body)); /* NOLINT(cert-err34-c): our own server's number */
    call_release(&call);
    for (int i = 0; i < 20; i++) {
        HttpSpec spec = { .method = HTTP_POST, .url = url_of("/echo"), .timeout_ms = 10000 };
        call_init(&call);
        start(http, &call, &spec, false);
        run_until(&call, 1);
        assert_int_equal(call.status, 200);
        call_release(&call);
    }
    get(http, &call, "/connections");
    assert_int_equal(atoi(buf_view(&call.body)), before);
    call_release(&call);

    HttpSpec spec = { .url = url_of("/connections"),
                      .timeout_ms = 10000,
                      .fresh_connection = true };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(atoi(buf_view(&call.body)), before + 1);
    call_release(&call);
    close_http(http);
}

TEST(a_kept_connection_that_the_server_closed_is_replaced)
{
    Http *http = open_http();
    Call call;
    for (int i = 0; i < 20; i++) {
        get(http, &call, "/drop_idle");
        assert_int_equal(call.outcome, HTTP_ANSWERED);
        assert_string_equal(buf_view(&call.body), "last");
        call_release(&call);
        uv_sleep(20); /* until the end of the connection has arrived */
        HttpSpec spec = { .method = HTTP_POST, .url = url_of("/echo"), .timeout_ms = 10000 };
        call_init(&call);
        start(http, &call, &spec, false);
        run_until(&call, 1);
        assert_int_equal(call.outcome, HTTP_ANSWERED);
        call_release(&call);
    }
    close_http(http);
}

/* The server's number of requests that it took and did not answer. Keeps its connection. */
static int dropped_so_far(Http *http)
{
    Call call;
    get(http, &call, "/dropped");
    int number = atoi(buf_view(&call.body)); /* NOLINT(cert-err34-c): our own server's number */
    call_release(&call);
    return number;
}

TEST(a_post_that_got_no_answer_on_a_kept_connection_is_not_repeated)
{
    Http *http = open_http();
    Call call;
    int before = dropped_so_far(http);
    for (int i = 1; i <= 3; i++) {
        HttpSpec spec = { .method = HTTP_POST, .url = url_of("/drop"), .timeout_ms = 5000 };
        call_init(&call);
        start(http, &call, &spec, false);
        run_until(&call, 1);
        assert_int_equal(call.outcome, HTTP_BROKEN);
        assert_int_equal(call.status, 0);
        assert_string_equal(call.error, "the connection ended before the answer");
        call_release(&call);
        assert_int_equal(dropped_so_far(http), before + i);
    }
    close_http(http);
}

TEST(a_post_that_may_be_repeated_goes_once_more_on_a_new_connection)
{
    static const struct {
        const char *path;
        HttpOutcome outcome;
        int dropped;
    } rows[] = {
        { "/drop_kept", HTTP_ANSWERED, 1 }, { "/drop", HTTP_BROKEN, 2 }, /* no third time */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Http *http = open_http();
        Call kept[3], call;
        HttpSpec spec = { .url = url_of("/echo"), .timeout_ms = 5000 };
        for (int n = 0; n < 3; n++) { /* several kept connections: none of them is good */
            call_init(&kept[n]);
            start(http, &kept[n], &spec, false);
        }
        run_until(kept, 3);
        int before = dropped_so_far(http);
        spec = (HttpSpec){ .method = HTTP_POST,
                           .url = url_of(rows[i].path),
                           .timeout_ms = 5000,
                           .is_repeatable = true };
        call_init(&call);
        start(http, &call, &spec, false);
        run_until(&call, 1);
        assert_int_equal(call.outcome, rows[i].outcome);
        call_release(&call);
        assert_int_equal(dropped_so_far(http), before + rows[i].dropped);
        for (int n = 0; n < 3; n++)
            call_release(&kept[n]);
        close_http(http);
    }
}

TEST(many_requests_at_once_are_all_answered)
{
    enum { COUNT = 40 };
    Http *http = open_http();
    Call calls[COUNT];
    for (int i = 0; i < COUNT; i++) {
        HttpSpec spec = { .url = url_of("/echo"), .timeout_ms = 15000 };
        call_init(&calls[i]);
        start(http, &calls[i], &spec, false);
    }
    assert_int_equal(http_active(http), COUNT);
    run_until(calls, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(calls[i].status, 200);
        call_release(&calls[i]);
    }
    close_http(http);
}

TEST(a_callback_may_start_the_next_request)
{
    Http *http = open_http();
    Call calls[2];
    HttpSpec spec = { .url = url_of("/echo"), .timeout_ms = 10000 };
    call_init(&calls[0]);
    call_init(&calls[1]);
    calls[0].then = &calls[1];
    calls[0].then_spec = spec;
    start(http, &calls[0], &spec, false);
    run_until(calls, 2);
    assert_int_equal(calls[1].status, 200);
    call_release(&calls[0]);
    call_release(&calls[1]);
    close_http(http);
}

TEST(refusals_keep_their_bodies)
{
    Http *http = open_http();
    Call call;
    get(http, &call, "/status?code=400");
    assert_int_equal(call.status, 400);
    assert_string_equal(buf_view(&call.body), "{\"error\":\"as you like\"}");
    assert_int_equal(call.retry_after_s, 0);
    assert_in_range(call.unix_s, clock_unix_ms() / 1000 - 30, clock_unix_ms() / 1000);
    call_release(&call);

    get(http, &call, "/status?code=429&retry=17");
    assert_int_equal(call.status, 429);
    assert_int_equal(call.retry_after_s, 17);
    call_release(&call);

    stream(http, &call, "/html?code=429", 5000); /* of a stream too */
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(call.status, 429);
    assert_string_equal(call.content_type, "text/html");
    assert_int_equal(call.pieces, 0);
    assert_non_null(strstr(buf_view(&call.body), "Too many"));
    call_release(&call);
    close_http(http);
}

TEST(a_redirect_is_not_followed)
{
    Http *http = open_http();
    Call call;
    HttpSpec spec = { .url = url_of("/redirect"), .authorize = true, .timeout_ms = 10000 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(call.status, 302);
    call_release(&call);
    get(http, &call, "/was_stolen");
    assert_string_equal(buf_view(&call.body), "no");
    call_release(&call);
    close_http(http);
}

TEST(the_token_is_for_its_origin_only)
{
    static const char *const urls[] = { "https://example.org/", "https://127.0.0.1/",
                                        "http://127.0.0.1:1/" };
    Http *http = open_http();
    Call call;
    call_init(&call);
    HttpCallbacks callbacks = { .on_done = on_done, .user = &call };
    for (size_t i = 0; i < 3; i++) {
        HttpSpec spec = { .url = urls[i], .authorize = true };
        Error err = { 0 };
        assert_null(http_request(http, &spec, &callbacks, &err));
        assert_null(strstr(err.text, "lip_secret"));
    }
    char longer[200]; /* a host that begins like ours */
    assert_true(snprintf(longer, sizeof longer, "%s0.evil.org/", server.origin) > 0);
    HttpSpec spec = { .url = longer, .authorize = true };
    assert_null(http_request(http, &spec, &callbacks, NULL));
    assert_int_equal(http_active(http), 0);
    call_release(&call);
    close_http(http);
}

TEST(informational_answers_are_passed_over)
{
    Http *http = open_http();
    Call call;
    get(http, &call, "/early_hints");
    assert_int_equal(call.heads, 1);
    assert_int_equal(call.status, 200);
    assert_string_equal(call.content_type, "application/json");
    call_release(&call);
    close_http(http);
}

TEST(an_answer_beyond_the_maximum_is_refused)
{
    Http *http = open_http();
    Call call;
    get(http, &call, "/large?len=1048576");
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(call.body.len, HTTP_BODY_MAX);
    call_release(&call);
    get(http, &call, "/large?len=1048577");
    assert_int_equal(call.outcome, HTTP_TOO_LARGE);
    assert_string_equal(call.error, "the answer is too large");
    call_release(&call);
    close_http(http);
}

TEST(an_etag_that_may_stand_in_no_request_counts_as_missing)
{
    static const struct {
        const char *path, *etag;
    } rows[] = {
        { "/tagged?as=%22ab%22", "\"ab\"" },
        { "/tagged?as=W/%22ab%22", "W/\"ab\"" },
        { "/tagged?as=%22a%09b%22", "" },
        { "/tagged?as=%22a%20b%22", "" },
    };
    Http *http = open_http();
    Call call;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        get(http, &call, rows[i].path);
        assert_string_equal(call.etag, rows[i].etag);
        call_release(&call);
    }
    /* Nor is one sent that was kept before. */
    HttpSpec spec = { .url = url_of("/echo"), .if_none_match = "\"a\tb\"", .timeout_ms = 5000 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_null(strstr(buf_view(&call.body), "if-none-match"));
    call_release(&call);
    close_http(http);
}

TEST(the_keys_of_a_session_are_written_nowhere)
{
    char path[] = "/tmp/castled-keys-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    setenv("SSLKEYLOGFILE", path, 1);
    Http *http = open_http();
    Call call;
    get(http, &call, "/echo");
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    unsetenv("SSLKEYLOGFILE");
    call_release(&call);
    close_http(http);
    close(fd);
    unlink(path);
}

TEST(a_transfer_coding_that_nobody_asked_for_is_refused)
{
    static const struct {
        const char *path;
        HttpOutcome outcome;
    } rows[] = {
        { "/coded?as=chunked", HTTP_ANSWERED },
        { "/coded?as=%20Chunked%20", HTTP_ANSWERED },
        { "/coded?as=gzip,%20chunked", HTTP_BROKEN },
        { "/coded?as=GZIP,GZIP,chunked", HTTP_BROKEN },
        { "/coded?as=deflate", HTTP_BROKEN },
        { "/coded?as=br,chunked", HTTP_BROKEN },
        { "/coded?as=zstd,chunked", HTTP_BROKEN },
        { "/coded?as=chunked,gzip", HTTP_BROKEN },
    };
    Http *http = open_http();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Call call;
        get(http, &call, rows[i].path);
        if (call.outcome != rows[i].outcome)
            fail_msg("%s: outcome %d", rows[i].path, (int)call.outcome);
        if (call.outcome == HTTP_BROKEN && !strstr(call.error, "encoding that nobody asked for") &&
            !strstr(call.error, "Transfer-Encoding")) /* newer libcurl, before us */
            fail_msg("%s: %s", rows[i].path, call.error);
        call_release(&call);
    }
    close_http(http);
}

TEST(what_was_never_sent_is_told_from_what_may_have_been)
{
    Http *http = open_http();
    Call call;
    HttpSpec spec = { .url = "https://127.0.0.1:1/", .timeout_ms = 5000 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_UNREACHABLE);
    assert_int_equal(call.status, 0);
    assert_string_not_equal(call.error, "");
    call_release(&call);

    spec.url = "https://no-such-host.invalid/";
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_UNREACHABLE);
    call_release(&call);

    spec = (HttpSpec){ .method = HTTP_POST, .url = url_of("/drop"), .timeout_ms = 5000 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_BROKEN);
    call_release(&call);

    spec = (HttpSpec){ .method = HTTP_POST, .url = url_of("/hang"), .timeout_ms = 300 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_TIMED_OUT);
    assert_in_range(call.elapsed_us, 290000, 5000000);
    call_release(&call);
    close_http(http);
}

TEST(that_a_request_goes_out_is_told_before_its_head)
{
    Http *http = open_http();
    Call call;
    stream(http, &call, "/stream/mute", 1000);
    assert_int_equal(call.sents, 1);
    assert_int_equal(call.heads, 0);
    call_release(&call);

    for (int i = 0; i < 2; i++) { /* the second on a connection that stands */
        stream(http, &call, "/stream/bytes", 5000);
        assert_int_equal(call.sents, 1);
        assert_int_equal(call.heads, 1);
        call_release(&call);
    }

    HttpSpec spec = { .url = "https://127.0.0.1:1/", .timeout_ms = 5000 };
    call_init(&call);
    start(http, &call, &spec, true);
    run_until(&call, 1);
    assert_int_equal(call.sents, 0);
    call_release(&call);
    close_http(http);
}

TEST(a_foreign_certificate_is_refused)
{
    HttpOptions options = { server.origin, NULL, "lip_secret",
                            NULL }; /* the system's authorities only */
    Http *http;
    Call call;
    assert_true(http_new(&http, &loop, &options, NULL));
    HttpSpec spec = { .url = url_of("/echo"), .authorize = true, .timeout_ms = 5000 };
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_UNTRUSTED);
    assert_string_not_equal(call.error, "");
    call_release(&call);
    close_http(http);

    options.ca_file = "/nowhere.pem";
    assert_true(http_new(&http, &loop, &options, NULL));
    call_init(&call);
    start(http, &call, &spec, false);
    run_until(&call, 1);
    assert_int_equal(call.outcome, HTTP_UNTRUSTED);
    assert_non_null(strstr(call.error, "/nowhere.pem"));
    call_release(&call);
    close_http(http);
}

TEST(a_stream_comes_as_it_is_sent)
{
    Http *http = open_http();
    Call call;
    stream(http, &call, "/stream/bytes", 5000);
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_int_equal(call.heads, 1);
    assert_string_equal(buf_view(&call.streamed),
                        "{\"type\":\"one\"}\n\n{\"type\":\"two\"}\r\n{\"type\":\"three\"}");
    assert_int_equal(call.body.len, 0);
    call_release(&call);

    stream(http, &call, "/stream/burst?lines=20000", 5000);
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_non_null(strstr(buf_view(&call.streamed), "\"n\":19999}\n"));
    call_release(&call);
    close_http(http);
}

TEST(a_reset_stream_is_broken_but_not_lost)
{
    Http *http = open_http();
    Call call;
    stream(http, &call, "/stream/reset", 5000);
    assert_int_equal(call.outcome, HTTP_BROKEN);
    assert_string_equal(buf_view(&call.streamed), "{\"type\":\"one\"}\n");
    call_release(&call);
    get(http, &call, "/echo");
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    call_release(&call);
    close_http(http);
}

TEST(silence_ends_a_stream_and_its_connection)
{
    Http *http = open_http();
    Call call;
    int64_t began = clock_now_ms();
    stream(http, &call, "/stream/stall", 1500);
    assert_int_equal(call.outcome, HTTP_SILENT);
    assert_string_equal(call.error, "no sign of life from the server");
    assert_string_equal(buf_view(&call.streamed), "{\"type\":\"one\"}\n");
    assert_in_range(clock_now_ms() - began, 1400, 8000);
    call_release(&call);

    stream(http, &call, "/stream/mute", 1000); /* not even an answer */
    assert_int_equal(call.outcome, HTTP_SILENT);
    assert_int_equal(call.status, 0);
    call_release(&call);

    stream(http, &call, "/stream/keepalive?beats=10&ms=300", 1500); /* keep-alives count */
    assert_int_equal(call.outcome, HTTP_ANSWERED);
    assert_string_equal(buf_view(&call.streamed), "\n\n\n\n\n\n\n\n\n\n");
    call_release(&call);
    close_http(http);
}

TEST(streams_that_begin_at_once_do_not_wait_for_each_others_end)
{
    enum { COUNT = 3 };
    Http *http = open_http();
    Call calls[COUNT];
    HttpSpec spec = { .url = url_of("/stream/stall"), .silence_ms = 1500 };
    for (int i = 0; i < COUNT; i++) {
        call_init(&calls[i]);
        start(http, &calls[i], &spec, true);
    }
    run_until(calls, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_string_equal(buf_view(&calls[i].streamed), "{\"type\":\"one\"}\n");
        call_release(&calls[i]);
    }
    close_http(http);
}

/* Two GETs side by side; the ports that they came from. */
static void ask_twice(Http *http, int ports[2])
{
    Call calls[2];
    HttpSpec spec = { .url = url_of("/echo"), .timeout_ms = 5000 };
    for (int i = 0; i < 2; i++) {
        call_init(&calls[i]);
        start(http, &calls[i], &spec, false);
    }
    run_until(calls, 2);
    for (int i = 0; i < 2; i++) {
        struct json_object *said = echo_of(&calls[i]), *port = NULL;
        assert_true(json_object_object_get_ex(said, "client", &port));
        ports[i] = json_object_get_int(port);
        json_object_put(said);
        call_release(&calls[i]);
    }
}

TEST(after_a_time_out_nothing_new_goes_on_an_older_connection)
{
    Http *http = open_http();
    Call streamed, late;
    HttpSpec spec = { .url = url_of("/stream/keepalive?beats=20&ms=100"), .silence_ms = 5000 };
    int before[2], after[2];
    call_init(&streamed);
    start(http, &streamed, &spec, true);
    ask_twice(http, before);
    spec = (HttpSpec){ .method = HTTP_POST, .url = url_of("/hang"), .timeout_ms = 300 };
    call_init(&late);
    start(http, &late, &spec, false);
    run_until(&late, 1);
    assert_int_equal(late.outcome, HTTP_TIMED_OUT);
    ask_twice(http, after);
    for (int i = 0; i < 2; i++)
        assert_true(after[i] != before[0] && after[i] != before[1]);
    run_until(&streamed, 1); /* what was on them stays */
    assert_int_equal(streamed.outcome, HTTP_ANSWERED);
    assert_int_equal(streamed.streamed.len, 20);
    ask_twice(http, before); /* the new ones are kept */
    assert_true(before[0] == after[0] || before[0] == after[1]);
    call_release(&streamed);
    call_release(&late);
    close_http(http);
}

/* As after a sleep of the machine. */
TEST(what_is_under_way_on_distrusted_connections_is_broken)
{
    Http *http = open_http();
    Call calls[2];
    const HttpSpec specs[2] = { { .url = url_of("/stream/stall"), .silence_ms = 20000 },
                                { .method = HTTP_POST, .url = url_of("/hang") } };
    int64_t began = clock_now_ms();
    for (int i = 0; i < 2; i++) {
        call_init(&calls[i]);
        start(http, &calls[i], &specs[i], i == 0);
    }
    while (calls[0].pieces == 0)
        uv_run(&loop, UV_RUN_ONCE);
    http_distrust(http, "the machine slept");
    assert_int_equal(calls[0].dones + calls[1].dones, 0); /* from the loop only */
    run_until(calls, 2);
    assert_in_range(clock_now_ms() - began, 0, 8000);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(calls[i].outcome, HTTP_BROKEN);
        assert_string_equal(calls[i].error, "the machine slept");
        call_release(&calls[i]);
    }
    get(http, &calls[0], "/status?code=200");
    assert_int_equal(calls[0].outcome, HTTP_ANSWERED);
    call_release(&calls[0]);
    close_http(http);
}

TEST(a_flood_holds_nobody_up_and_is_cut_off)
{
    Http *http = open_http();
    Call flood, other;
    HttpSpec spec = { .url = url_of("/stream-flood"), .silence_ms = 5000 };
    call_init(&flood);
    start(http, &flood, &spec, true);
    for (int i = 0; i < 5; i++) {
        get(http, &other, "/echo");
        assert_int_equal(other.status, 200);
        assert_true(other.elapsed_us < 1500000);
        call_release(&other);
    }
    run_until(&flood, 1);
    assert_int_equal(flood.outcome, HTTP_TOO_LARGE);
    assert_in_range(flood.streamed.len, 100000, 200000); /* lines; no mere hiccup ends a stream */
    call_release(&flood);
    close_http(http);
}

TEST(a_cancelled_request_is_never_heard_of)
{
    Http *http = open_http();
    Call calls[3];
    HttpSpec spec = { .url = url_of("/echo"), .timeout_ms = 10000 };
    for (int i = 0; i < 3; i++)
        call_init(&calls[i]);
    start(http, &calls[0], &spec, false);
    start(http, &calls[1], &spec, false);
    http_cancel(calls[0].request); /* before anything happened */
    run_until(&calls[1], 1);

    spec = (HttpSpec){ .url = url_of("/stream/stall"), .silence_ms = 20000 };
    calls[2].cancel_after_pieces = 1; /* from inside its own callback */
    start(http, &calls[2], &spec, true);
    int64_t end = clock_now_ms() + 5000;
    while (calls[2].pieces == 0 && clock_now_ms() < end)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(calls[2].pieces, 1);
    assert_int_equal(http_active(http), 0);
    assert_int_equal(calls[0].dones + calls[2].dones, 0);
    for (int i = 0; i < 3; i++)
        call_release(&calls[i]);
    close_http(http);
}

TEST(closing_forgets_what_is_under_way)
{
    Http *http = open_http();
    Call calls[5];
    static const char *const paths[] = { "/stream/stall", "/hang", "/echo", "/stream/mute",
                                         "/large?len=1000000" };
    for (int i = 0; i < 5; i++) {
        HttpSpec spec = { .url = url_of(paths[i]), .silence_ms = 20000 };
        call_init(&calls[i]);
        start(http, &calls[i], &spec, i % 3 == 0);
    }
    for (int i = 0; i < 3; i++)
        uv_run(&loop, UV_RUN_ONCE);
    close_http(http);
    for (int i = 0; i < 5; i++)
        call_release(&calls[i]);
}

static int start_server(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    return local_server_start(&server, NULL) && uv_loop_init(&loop) == 0 ? 0 : -1;
}

static int stop_server(void **state)
{
    (void)state;
    local_server_stop(&server);
    return uv_loop_close(&loop);
}

TESTS_IN(start_server, stop_server)
