/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.h over HTTP/2, with nginx in front of the local server. Skipped where there is none. */
#include "bot/http/http.h"
#include "engine/base/clock.h"
#include "tests/support/local_server.h"

#include <signal.h>

typedef struct {
    HttpRequest *request;
    int heads, dones, http_version, status;
    HttpOutcome outcome;
    size_t bytes;
} Call;

static LocalServer server;
static uv_loop_t loop;

static void on_head(void *user, const HttpHead *head)
{
    Call *call = user;
    call->heads++;
    call->http_version = head->http_version;
}

static void on_bytes(void *user, const char *bytes, size_t len)
{
    (void)bytes;
    ((Call *)user)->bytes += len;
}

static void on_done(void *user, const HttpResult *result)
{
    Call *call = user;
    call->dones++;
    call->outcome = result->outcome;
    call->status = result->head.status;
}

static Http *open_http(void)
{
    HttpOptions options = { server.origin, server.ca_file, "lip_secret", NULL };
    Http *http;
    if (server.port == 0)
        skip();
    assert_true(http_new(&http, &loop, &options, NULL));
    return http;
}

static void close_http(Http *http)
{
    http_close(http, NULL, NULL);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
}

static void start(Http *http, Call *call, HttpMethod method, const char *path, int64_t silence_ms)
{
    char url[300];
    assert_true(snprintf(url, sizeof url, "%s%s", server.origin, path) > 0);
    HttpSpec spec = { .method = method, .url = url, .authorize = true, .silence_ms = silence_ms };
    HttpCallbacks callbacks = { .on_head = on_head,
                                .on_bytes = silence_ms ? on_bytes : NULL,
                                .on_done = on_done,
                                .user = call };
    *call = (Call){ 0 };
    call->request = http_request(http, &spec, &callbacks, NULL);
    assert_non_null(call->request);
}

/* Runs the loop until *what is at least `least`. */
static void run_until(const int *what, int least)
{
    int64_t end = clock_now_ms() + 20000;
    while (*what < least && clock_now_ms() < end)
        uv_run(&loop, UV_RUN_ONCE);
    assert_true(*what >= least);
}

/* Connections of this process to the server, as the kernel lists them. */
static int count_connections(void)
{
    FILE *file = fopen("/proc/self/net/tcp", "r");
    char line[300];
    int count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned port = 0, state = 0;
        if (sscanf(line, " %*d: %*8x:%*4x %*8x:%4x %2x", &port, &state) == 2)
            count += port == (unsigned)server.port && state == 1; /* established, our end */
    }
    fclose(file);
    return count;
}

TEST(streams_and_requests_share_one_connection)
{
    enum { STREAMS = 8 };
    Http *http = open_http();
    Call streams[STREAMS], call;
    for (int i = 0; i < STREAMS; i++)
        start(http, &streams[i], HTTP_GET, "/stream/keepalive?beats=1000&ms=20", 10000);
    for (int i = 0; i < STREAMS; i++) {
        run_until(&streams[i].heads, 1);
        assert_int_equal(streams[i].http_version, 20);
    }
    for (int i = 0; i < 30; i++) {
        start(http, &call, HTTP_POST, "/echo", 0);
        run_until(&call.dones, 1);
        assert_int_equal(call.outcome, HTTP_ANSWERED);
        assert_int_equal(call.status, 200);
    }
    assert_int_equal(count_connections(), 1);
    for (int i = 0; i < STREAMS; i++) {
        assert_int_equal(streams[i].dones, 0);
        assert_true(streams[i].bytes > 0);
    }
    close_http(http);
}

TEST(one_stream_may_go_without_the_others)
{
    Http *http = open_http();
    Call gone, stays, call;
    start(http, &gone, HTTP_GET, "/stream/keepalive?beats=1000&ms=20", 10000);
    start(http, &stays, HTTP_GET, "/stream/keepalive?beats=1000&ms=20", 10000);
    run_until(&gone.heads, 1);
    run_until(&stays.heads, 1);
    http_cancel(gone.request);
    start(http, &call, HTTP_POST, "/echo", 0);
    run_until(&call.dones, 1);
    assert_int_equal(call.status, 200);
    size_t before = stays.bytes;
    int64_t end = clock_now_ms() + 5000;
    while (stays.bytes < before + 5 && clock_now_ms() < end)
        uv_run(&loop, UV_RUN_ONCE);
    assert_true(stays.bytes >= before + 5);
    assert_int_equal(gone.dones + stays.dones, 0);
    assert_int_equal(count_connections(), 1);
    close_http(http);
}

TEST(silence_of_a_stream_is_noticed)
{
    Http *http = open_http();
    Call stream, call;
    start(http, &stream, HTTP_GET, "/stream/stall", 1500);
    run_until(&stream.dones, 1);
    assert_int_equal(stream.outcome, HTTP_SILENT);
    start(http, &call, HTTP_POST, "/echo", 0);
    run_until(&call.dones, 1);
    assert_int_equal(call.status, 200);
    close_http(http);
}

/* nginx ends a connection after some requests: nothing may be lost by it, and nothing go twice. */
TEST(goaway_costs_no_request)
{
    Http *http = open_http();
    Call call;
    for (int i = 0; i < 200; i++) {
        start(http, &call, HTTP_POST, "/echo", 0);
        run_until(&call.dones, 1);
        assert_int_equal(call.outcome, HTTP_ANSWERED);
        assert_int_equal(call.status, 200);
    }
    close_http(http);
}

static int start_server(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    return local_server_start(&server, "--http2") && uv_loop_init(&loop) == 0 ? 0 : -1;
}

static int stop_server(void **state)
{
    (void)state;
    local_server_stop(&server);
    return uv_loop_close(&loop);
}

TESTS_IN(start_server, stop_server)
