/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/page.h"

#include "bot/ops/timer.h"
#include "bot/ops/url.h"
#include "engine/base/clock.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { HOST_MAX = 300 };

typedef struct {
    bool is_open;
    int fd;
    int64_t ends_ms;
} Client;

struct Page {
    struct MHD_Daemon *server;
    uv_poll_t poll;   /* of the library's epoll descriptor */
    uv_timer_t timer; /* while it has a deadline of its own */
    bool is_local;
    const PageRoute *routes;
    void *user;
    int handles;
    Client clients[PAGE_CONNECTIONS_MAX];
};

/* Headers of every answer: nothing comes from elsewhere, nothing runs, no frame shows us, nothing
 * is cached. */
static const struct {
    const char *name, *value;
} headers[] = {
    { "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                                 "form-action 'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cache-Control", "no-store" },
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, unsigned status,
                                   const char *type, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    bool ok = MHD_add_response_header(response, "Content-Type", type) == MHD_YES;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        ok = ok && MHD_add_response_header(response, headers[i].name, headers[i].value) == MHD_YES;
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        ok = ok && MHD_add_response_header(response, "Allow", "GET, HEAD") == MHD_YES;
    enum MHD_Result done = ok ? MHD_queue_response(connection, status, response) : MHD_NO;
    MHD_destroy_response(response);
    return done;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *words)
{
    /* The library takes it without const, and only reads it. */
    union {
        const char *text;
        void *bytes;
    } body = { words };
    return send_answer(
        connection, status, "text/plain; charset=utf-8",
        MHD_create_response_from_buffer(strlen(words), body.bytes, MHD_RESPMEM_PERSISTENT));
}

/* The Host header is a name that only this machine has, with a port or without. */
static bool is_for_us(struct MHD_Connection *connection)
{
    char url[HOST_MAX], origin[HOST_MAX];
    const char *host =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    if (!host)
        return true; /* no browser */
    int n = snprintf(url, sizeof url, "http://%s", host);
    return n > 0 && (size_t)n < sizeof url && url_origin(origin, sizeof origin, url, NULL);
}

static enum MHD_Result on_argument(void *user, enum MHD_ValueKind kind, const char *name,
                                   size_t name_len, const char *value, size_t value_len)
{
    PageQuery *query = user;
    (void)kind;
    query->at[query->count].name = (Text){ name, name_len };
    query->at[query->count].value = (Text){ value ? value : "", value ? value_len : 0 };
    query->count++;
    return query->count < PAGE_ARGUMENTS_MAX ? MHD_YES : MHD_NO;
}

static enum MHD_Result show(Page *page, struct MHD_Connection *connection, const PageRoute *route)
{
    PageQuery query = { 0 };
    Buf body;
    if (MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, NULL, NULL) >
        PAGE_ARGUMENTS_MAX)
        return refuse(connection, MHD_HTTP_BAD_REQUEST, "too many arguments\n");
    MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, on_argument, &query);
    buf_init(&body, PAGE_BODY_MAX);
    PageStatus status = route->write(page->user, &query, &body);
    size_t len = body.len;
    char *bytes = status == PAGE_OK ? buf_take(&body) : NULL;
    buf_release(&body);
    if (status == PAGE_NOT_FOUND)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
    if (!bytes)
        return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "no memory\n");
    struct MHD_Response *response =
        MHD_create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(bytes);
    return send_answer(connection, MHD_HTTP_OK, route->type, response);
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **request)
{
    Page *page = user;
    (void)version;
    (void)upload;
    (void)upload_size;
    (void)request;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "method not allowed\n");
    if (page->is_local && !is_for_us(connection))
        return refuse(connection, MHD_HTTP_FORBIDDEN, "unknown host\n");
    for (const PageRoute *route = page->routes; route->path; route++)
        if (strcmp(route->path, path) == 0)
            return show(page, connection, route);
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
}

/* The client of this descriptor, or a free place for one; NULL: there is none. */
static Client *find_client(Page *page, bool is_open, int fd)
{
    for (size_t i = 0; i < PAGE_CONNECTIONS_MAX; i++) {
        Client *client = &page->clients[i];
        if (client->is_open == is_open && (!is_open || client->fd == fd))
            return client;
    }
    return NULL;
}

/* The library's own limit would have it stop listening, and look again only when something else
 * happens: so who is too many is turned away at once. */
static enum MHD_Result on_accept(void *user, const struct sockaddr *address, socklen_t size)
{
    (void)address;
    (void)size;
    return find_client(user, false, 0) ? MHD_YES : MHD_NO;
}

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    bool is_new = what == MHD_CONNECTION_NOTIFY_STARTED;
    int fd = info ? info->connect_fd : -1;
    Client *client = find_client(user, !is_new, fd);
    (void)context;
    if (client)
        *client = (Client){ .is_open = is_new,
                            .fd = fd,
                            .ends_ms = clock_now_ms() + (int64_t)PAGE_LIFE_S * 1000 };
}

/* ---- the loop ---- */

static void on_timer(uv_timer_t *timer);

/* Closes connections whose time is over, by the library; returns when the next one's is. */
static int64_t end_clients(Page *page, int64_t now_ms)
{
    int64_t next_ms = INT64_MAX;
    for (size_t i = 0; i < PAGE_CONNECTIONS_MAX; i++) {
        Client *client = &page->clients[i];
        if (!client->is_open)
            continue;
        if (client->ends_ms <= now_ms) {
            shutdown(client->fd, SHUT_RDWR);
            client->ends_ms = INT64_MAX;
        }
        next_ms = client->ends_ms < next_ms ? client->ends_ms : next_ms;
    }
    return next_ms;
}

/* Everything that can be done now, and when to look again by ourselves. */
static void run(Page *page)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    int64_t now_ms = clock_now_ms();
    MHD_run(page->server);
    int64_t next_ms = end_clients(page, now_ms);
    if (MHD_get_timeout(page->server, &wait_ms) == MHD_YES && (int64_t)wait_ms < next_ms - now_ms)
        next_ms = now_ms + (wait_ms > 0 ? (int64_t)wait_ms : 1); /* others first: see curl_loop.c */
    timer_set(&page->timer, on_timer, next_ms);
}

static void on_timer(uv_timer_t *timer)
{
    run(timer->data);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    run(poll->data);
}

static bool start(Page *page, const Address *address, Error *err)
{
    unsigned flags = MHD_USE_EPOLL | (address->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    page->server = MHD_start_daemon(
        flags, 0, on_accept, page, on_request, page, MHD_OPTION_SOCK_ADDR, &address->any,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, page, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)PAGE_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)PAGE_MEMORY,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (!page->server)
        error_set(err, ERR_IO, "cannot listen there: %s", strerror(errno));
    return page->server;
}

bool page_new(Page **out, uv_loop_t *loop, const Address *address, const PageRoute *routes,
              void *user, Error *err)
{
    Page *page = calloc(1, sizeof *page);
    if (!page) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    page->routes = routes;
    page->user = user;
    page->is_local = address->is_loopback;
    if (!start(page, address, err)) {
        free(page);
        return false;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(page->server, MHD_DAEMON_INFO_EPOLL_FD);
    int failure = info ? uv_poll_init(loop, &page->poll, info->epoll_fd) : UV_ENOTSUP;
    if (failure) {
        error_set(err, ERR_IO, "cannot be watched: %s", uv_strerror(failure));
        MHD_stop_daemon(page->server);
        free(page);
        return false;
    }
    uv_timer_init(loop, &page->timer);
    page->poll.data = page;
    page->timer.data = page;
    page->handles = 2;
    uv_poll_start(&page->poll, UV_READABLE, on_ready);
    *out = page;
    return true;
}

int page_port(const Page *page)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(page->server, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static void on_handle_closed(uv_handle_t *handle)
{
    Page *page = handle->data;
    if (--page->handles == 0)
        free(page);
}

void page_close(Page *page)
{
    if (!page)
        return;
    uv_poll_stop(&page->poll); /* before the library closes what it polls */
    uv_close((uv_handle_t *)&page->poll, on_handle_closed);
    uv_close((uv_handle_t *)&page->timer, on_handle_closed);
    MHD_stop_daemon(page->server);
}
