/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/broadcast.h"
#include "bot/ops/web_server.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static uv_loop_t loop;

static WebStatus write_hello(void *user, const WebQuery *query, Buf *out)
{
    (void)query;
    ++*(int *)user;
    return buf_put_text(out, "hello") ? WEB_OK : WEB_FAILED;
}

static WebStatus write_query(void *user, const WebQuery *query, Buf *out)
{
    bool ok = true;
    (void)user;
    for (size_t i = 0; ok && i < query->count; i++)
        ok = buf_printf(out, "[%.*s|%.*s]", TEXT_ARGS(query->at[i].name),
                        TEXT_ARGS(query->at[i].value));
    return ok ? WEB_OK : WEB_FAILED;
}

static WebStatus write_nothing(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    return buf_put_text(out, "half") && query->count > 0 ? WEB_NOT_FOUND : WEB_FAILED;
}

static WebStatus write_rest(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    return buf_printf(out, "<%.*s>", TEXT_ARGS(query->rest)) ? WEB_OK : WEB_FAILED;
}

static WebStatus begin_stream(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return buf_put_text(out, "first ") ? WEB_STREAM : WEB_FAILED;
}

static WebReply *promised;
static int gone_count;

static void on_gone(void *user)
{
    ++*(int *)user;
}

static WebStatus promise(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)out;
    promised = web_reply_later(query, on_gone, &gone_count);
    return promised ? WEB_LATER : WEB_FAILED;
}

static const WebRoute routes[] = {
    { "/", "text/html", write_hello },
    { "/query", "text/html", write_query },
    { "/broken", "text/html", write_nothing },
    { "/game/*", "text/html", write_rest },
    { "/stream", "text/event-stream", begin_stream },
    { "/later", "text/html", promise },
    { NULL, NULL, NULL },
};

/* A server on a free port of 127.0.0.1. */
static WebServer *open_page(Address *address, int *asked)
{
    for (int port = 20000; port < 60000; port += 7) {
        char text[10];
        WebServer *server;
        assert_true(snprintf(text, sizeof text, "%d", port + (int)getpid() % 7) > 0);
        assert_true(address_parse(address, text, NULL));
        if (web_server_new(&server, &loop, address, routes, asked, NULL))
            return server;
    }
    fail_msg("no free port");
    return NULL;
}

static int dial(const Address *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, &address->any, sizeof address->ip4), 0);
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    return fd;
}

/* Turns the loop until the peer hangs up or `most` turns are over. What came. */
static const char *hear(int fd, char *out, size_t size, int most)
{
    size_t len = 0;
    for (int i = 0; i < most; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        ssize_t n = recv(fd, out + len, size - 1 - len, 0);
        if (n == 0)
            break;
        len += n > 0 ? (size_t)n : 0;
        usleep(1000);
    }
    out[len] = '\0';
    return out;
}

static const char *ask(const Address *address, const char *request, char *out, size_t size)
{
    int fd = dial(address);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    hear(fd, out, size, 5000);
    close(fd);
    return out;
}

#define LOCAL "localhost\r\nConnection: close\r\n\r\n"
#define END " HTTP/1.1\r\nHost: " LOCAL

TEST(requests_are_answered_or_refused)
{
    static const struct {
        const char *request, *begin, *end;
    } rows[] = {
        { "GET /" END, "HTTP/1.1 200 ", "\r\n\r\nhello" },
        { "GET /?a=b" END, "HTTP/1.1 200 ", "\r\n\r\nhello" },
        { "HEAD /" END, "HTTP/1.1 200 ", "\r\n\r\n" },
        { "GET /none" END, "HTTP/1.1 404 ", "no such page\n" },
        { "GET /broken" END, "HTTP/1.1 500 ", "\n" },
        { "GET /broken?a" END, "HTTP/1.1 404 ", "\r\n\r\nno such page\n" },
        { "GET /query" END, "HTTP/1.1 200 ", "\r\n\r\n" },
        { "GET /query?a=b%2fc+d&a=%26&e&f=&=g" END, "HTTP/1.1 200 ",
          "\r\n\r\n[a|b/c d][a|&][e|][f|][|g]" },
        { "GET /query?1&2&3&4&5&6&7&8&9&a&b&c&d&e&f&g" END, "HTTP/1.1 200 ", "[g|]" },
        { "GET /query?1&2&3&4&5&6&7&8&9&a&b&c&d&e&f&g&h" END, "HTTP/1.1 400 ", "\n" },
        { "GET /game/a%20b" END, "HTTP/1.1 200 ", "\r\n\r\n<a b>" },
        { "GET /game/" END, "HTTP/1.1 404 ", "\n" },
        { "GET /game/a/b" END, "HTTP/1.1 404 ", "\n" },
        { "GET /game/a%2fb" END, "HTTP/1.1 404 ", "\n" },
        { "GET /gam" END, "HTTP/1.1 404 ", "\n" },
        { "POST /" END, "HTTP/1.1 405 ", "\n" },
        { "GET / HTTP/1.0\r\n\r\n", "HTTP/1.", "\r\n\r\nhello" },
        { "GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n", "HTTP/1.1 403 ", "\n" },
        { "GET / HTTP/1.1\r\nHost: 127.0.0.2:8080\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 ",
          "hello" },
        { "GET / HTTP/1.1\r\nHost: 10.0.0.2:8080\r\nConnection: close\r\n\r\n", "HTTP/1.1 403 ",
          "\n" },
        { "GET / HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\nHost: " LOCAL,
          "HTTP/1.1 403 ", "\n" },
        { "GET / HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: "
          "document\r\nHost: " LOCAL,
          "HTTP/1.1 200 ", "hello" },
        { "GET / HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: empty\r\nHost: " LOCAL,
          "HTTP/1.1 200 ", "hello" },
    };
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[4000];
        ask(&address, rows[i].request, got, sizeof got);
        size_t len = strlen(got), end = strlen(rows[i].end);
        if (strncmp(got, rows[i].begin, strlen(rows[i].begin)) != 0 || len < end ||
            strcmp(got + len - end, rows[i].end) != 0)
            fail_msg("%s: %s", rows[i].request, got);
        assert_non_null(strstr(got, "Content-Security-Policy: default-src 'none'"));
    }
    assert_int_equal(asked, 7);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(a_head_that_is_too_long_reaches_nobody)
{
    static char request[40000];
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    int fd = dial(&address);
    memset(request, 'a', sizeof request);
    memcpy(request, "GET /", 5);
    (void)!send(fd, request, sizeof request, MSG_NOSIGNAL);
    hear(fd, got, sizeof got, 5000);
    assert_true(got[0] == '\0' || strncmp(got, "HTTP/1.1 4", 10) == 0);
    close(fd);
    assert_int_equal(asked, 0);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(who_is_too_many_is_turned_away_and_nobody_is_forgotten)
{
    enum { MANY = 3 * WEB_CONNECTIONS_MAX };
    int fds[MANY], asked = 0, closed = 0;
    Address address;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    for (int i = 0; i < MANY; i++)
        fds[i] = dial(&address);
    for (int i = 0; i < 200; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
    for (int i = 0; i < MANY; i++) {
        closed += recv(fds[i], got, sizeof got, 0) == 0;
        close(fds[i]);
    }
    assert_int_equal(closed, MANY - WEB_CONNECTIONS_MAX);
    for (int i = 0; i < 200; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
    assert_non_null(strstr(ask(&address, "GET /" END, got, sizeof got), "hello"));
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(who_asks_takes_the_place_of_who_says_nothing)
{
    int fds[WEB_CONNECTIONS_MAX], asked = 0;
    Address address;
    WebServer *server = open_page(&address, &asked);
    char got[4000], c;
    for (int i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        fds[i] = dial(&address);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_non_null(strstr(ask(&address, "GET /" END, got, sizeof got), "hello"));
    assert_int_equal(recv(fds[0], &c, 1, 0), 0); /* the oldest has gone */
    assert_int_equal(recv(fds[WEB_CONNECTIONS_MAX - 1], &c, 1, 0), -1);
    for (int i = 0; i < WEB_CONNECTIONS_MAX; i++)
        close(fds[i]);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static int follow(const Address *address)
{
    static const char request[] = "GET /stream HTTP/1.0\r\n\r\n";
    int fd = dial(address);
    assert_int_equal(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    return fd;
}

TEST(who_follows_a_stream_gets_what_is_published)
{
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    char got[4000], late[4000];
    web_server_publish(server, "unheard ", 8);
    int fd = follow(&address);
    assert_non_null(strstr(hear(fd, got, sizeof got, 100), "\r\n\r\nfirst "));
    assert_int_equal(web_server_viewers(server), 1);
    web_server_publish(server, "second ", 7);
    int other = follow(&address);
    assert_string_equal(hear(fd, got, sizeof got, 100), "second ");
    hear(other, late, sizeof late, 100);
    web_server_publish(server, "third ", 6);
    assert_string_equal(hear(fd, got, sizeof got, 100), "third ");
    assert_string_equal(hear(other, late, sizeof late, 100), "third ");
    close(fd);
    web_server_publish(server, "fourth ", 7); /* shows that it has gone */
    web_server_publish(server, "fifth ", 6);
    assert_string_equal(hear(other, late, sizeof late, 100), "fourth fifth ");
    assert_int_equal(web_server_viewers(server), 1);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(other);
}

TEST(viewers_outlive_requests_and_are_not_without_number)
{
    enum { MANY = WEB_VIEWERS_MAX + 3 };
    int fds[MANY], asked = 0;
    Address address;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    for (int i = 0; i < MANY; i++)
        fds[i] = follow(&address);
    hear(fds[0], got, sizeof got, 100);
    assert_int_equal(web_server_viewers(server), WEB_VIEWERS_MAX);
    assert_non_null(strstr(hear(fds[MANY - 1], got, sizeof got, 100), " 503 "));
    assert_non_null(strstr(ask(&address, "GET /" END, got, sizeof got), "hello"));
    for (int i = 0; i < MANY; i++)
        close(fds[i]);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(one_that_does_not_read_is_dropped_and_holds_nobody_up)
{
    static char bytes[BROADCAST_SIZE / 4];
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    memset(bytes, '.', sizeof bytes);
    int fd = follow(&address);
    hear(fd, got, sizeof got, 100);
    for (int i = 0; i < 3000 && web_server_viewers(server) > 0; i++) {
        web_server_publish(server, bytes, sizeof bytes);
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(1000);
        if (i >
            40) /* it was behind by more than there is: the next byte that it reads is the last */
            (void)!recv(fd, bytes, sizeof bytes, 0);
    }
    assert_int_equal(web_server_viewers(server), 0);
    close(fd);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* Turns the loop until the route has been asked for a promise. */
static WebReply *await_promise(void)
{
    promised = NULL;
    for (int i = 0; i < 1000 && !promised; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
    assert_non_null(promised);
    return promised;
}

static int begin_waiting(const Address *address)
{
    static const char request[] = "GET /later" END;
    int fd = dial(address);
    assert_int_equal(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    return fd;
}

TEST(an_answer_may_come_later_and_nobody_waits_for_it)
{
    static const struct {
        WebStatus status;
        const char *body, *begin, *end;
    } rows[] = {
        { WEB_OK, "at last", "HTTP/1.1 200 ", "\r\n\r\nat last" },
        { WEB_NOT_FOUND, "unseen", "HTTP/1.1 404 ", "no such page\n" },
        { WEB_BUSY, "", "HTTP/1.1 503 ", "try again\n" },
        { WEB_FAILED, "", "HTTP/1.1 500 ", "no memory\n" },
    };
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[4000], other[4000];
        Buf body;
        int fd = begin_waiting(&address);
        WebReply *reply = await_promise();
        assert_string_equal(hear(fd, got, sizeof got, 20), "");
        assert_non_null(strstr(ask(&address, "GET /" END, other, sizeof other), "hello"));
        buf_init(&body, 100);
        assert_true(buf_put_text(&body, rows[i].body));
        gone_count = 0;
        web_reply(reply, rows[i].status, &body);
        assert_null(body.text);
        hear(fd, got, sizeof got, 5000);
        close(fd);
        if (strncmp(got, rows[i].begin, strlen(rows[i].begin)) != 0 || !strstr(got, rows[i].end))
            fail_msg("%zu: %s", i, got);
        assert_int_equal(gone_count, 0);
    }
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(an_answer_that_nobody_waits_for_any_more_is_dropped)
{
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    Buf body;
    buf_init(&body, 100);
    int fd = begin_waiting(&address);
    WebReply *gone = await_promise();
    gone_count = 0;
    close(fd);
    for (int64_t end = clock_now_ms() + 10000; gone_count == 0 && clock_now_ms() < end;)
        uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < 20; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(gone_count, 1); /* and so the work for it can be dropped */
    assert_true(buf_put_text(&body, "to nobody"));
    web_reply(gone, WEB_OK, &body);
    fd = begin_waiting(&address);
    WebReply *late = await_promise();
    web_server_close(server);
    assert_string_equal(hear(fd, got, sizeof got, 100), "");
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(buf_put_text(&body, "too late"));
    web_reply(late, WEB_OK, &body);
    assert_null(body.text);
    close(fd);
}

TEST(who_waits_while_there_is_no_descriptor_keeps_nobody_busy)
{
    enum { TURNS_MAX = 20 };
    Address address;
    int asked = 0, turns = 0;
    char got[4000];
    struct rlimit usual, none;
    WebServer *server = open_page(&address, &asked);
    int waiting = dial(&address);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = (struct rlimit){ .rlim_max = usual.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    for (int64_t end = clock_now_ms() + 1500; clock_now_ms() < end && turns < TURNS_MAX; turns++)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_in_range(turns, 1, TURNS_MAX - 1);
    assert_int_equal(send(waiting, "GET /" END, strlen("GET /" END), MSG_NOSIGNAL),
                     strlen("GET /" END));
    assert_non_null(strstr(hear(waiting, got, sizeof got, 5000), "hello"));
    close(waiting);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(nothing_is_awaited_while_nobody_asks)
{
    Address address;
    int asked = 0;
    WebServer *server = open_page(&address, &asked);
    char got[4000];
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(uv_backend_timeout(&loop), -1);
    ask(&address, "GET /" END, got, sizeof got);
    for (int i = 0; i < 100 && uv_backend_timeout(&loop) != -1; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(10000);
    }
    assert_int_equal(uv_backend_timeout(&loop), -1);
    web_server_close(server);
    uv_run(&loop, UV_RUN_DEFAULT);
}

TEST(a_port_that_is_taken_is_an_error)
{
    Address address;
    int asked = 0;
    Error err = { 0 };
    WebServer *server = open_page(&address, &asked), *second;
    assert_false(web_server_new(&second, &loop, &address, routes, &asked, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_string_equal(err.text, "cannot listen there: Address already in use");
    web_server_close(server);
    web_server_close(NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static int open_loop(void **state)
{
    (void)state;
    return uv_loop_init(&loop);
}

static int close_loop(void **state)
{
    (void)state;
    return uv_loop_close(&loop);
}

TESTS_IN(open_loop, close_loop)
