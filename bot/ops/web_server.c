/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/web_server.h"

#include "bot/ops/broadcast.h"
#include "bot/ops/timer.h"
#include "bot/ops/url.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HOST_MAX = 300,
    STREAM_SEND_BUFFER = 1 << 17,
    PAUSE_MS = 1000,
    GONE_LOOK_MS = 500, /* between two looks whether clients still wait for an answer */
    /* Half of them for connections that make room, until the library has closed them. */
    CLIENTS_MAX = 2 * WEB_CONNECTIONS_MAX,
};

typedef struct {
    bool is_open;
    bool is_asking; /* has sent a whole request, that is not answered yet */
    bool is_ending; /* was told to */
    int fd;
    uint64_t number; /* in the order in which they came */
    int64_t ends_ms;
} Client;

/* A client that follows a stream. */
typedef struct Viewer {
    struct Viewer *next;
    WebServer *server;
    struct MHD_Connection *connection;
    Buf beginning; /* what is left of it to be sent */
    size_t sent;   /* of the beginning */
    uint64_t at;   /* in the broadcast */
    bool is_suspended;
} Viewer;

/* An answer that comes later: in the server's list while its client waits for it. */
struct WebReply {
    struct WebReply *next;
    WebServer *server;
    const WebRoute *route;
    struct MHD_Connection *connection; /* NULL: it has gone */
    WebOnGone *on_gone;                /* NULL: told */
    void *user;
    bool is_ready;
    WebStatus status;
    Buf body;
};

struct WebRequest {
    WebServer *server;
    const WebRoute *route;
    struct MHD_Connection *connection;
    WebReply *reply; /* promised by the route */
};

struct WebServer {
    struct MHD_Daemon *mhd;
    uv_poll_t poll;          /* of the library's epoll descriptor */
    uv_timer_t timer;        /* while it has a deadline of its own */
    int64_t paused_until_ms; /* the poll is stopped until then; INT64_MAX: it runs */
    bool is_local;
    const WebRoute *routes;
    void *user;
    int handles;
    Client clients[CLIENTS_MAX];
    uint64_t accepted;
    Viewer *viewers;
    WebReply *replies;
    Broadcast broadcast;
};

/* Headers of every answer: nothing comes from elsewhere or goes there, no script or style stands in
 * a page, no frame shows us, nothing is cached. */
static const struct {
    const char *name, *value;
} headers[] = {
    { "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src "
                                 "'self'; connect-src 'self'; "
                                 "base-uri 'none'; form-action 'self'; frame-ancestors 'none'" },
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
    Address address; /* 127.0.0.2 is one, too */
    return n > 0 && (size_t)n < sizeof url &&
           (url_origin(origin, sizeof origin, url, NULL) ||
            (address_parse(&address, host, NULL) && address.is_loopback));
}

/* Another site's page, in the operator's browser, has this loaded as an image or in a frame. It can
 * read nothing, but each such request costs time. A link may lead here. */
static bool is_from_elsewhere(struct MHD_Connection *connection)
{
    const char *site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
    const char *for_what =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Dest");
    return site && strcmp(site, "cross-site") == 0 &&
           !(for_what && strcmp(for_what, "document") == 0);
}

static enum MHD_Result web_server_on_argument(void *user, enum MHD_ValueKind kind, const char *name,
                                              size_t name_len, const char *value, size_t value_len)
{
    WebQuery *query = user;
    (void)kind;
    query->at[query->count].name = (Text){ name, name_len };
    query->at[query->count].value = (Text){ value ? value : "", value ? value_len : 0 };
    query->count++;
    return query->count < WEB_ARGUMENTS_MAX ? MHD_YES : MHD_NO;
}

/* The client of this descriptor, or a free place for one; NULL: there is none. */
static Client *find_client(WebServer *server, bool is_open, int fd)
{
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        Client *client = &server->clients[i];
        if (client->is_open == is_open && (!is_open || client->fd == fd))
            return client;
    }
    return NULL;
}

static int fd_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static void set_asking(WebServer *server, struct MHD_Connection *connection, bool is_asking)
{
    Client *client = find_client(server, true, fd_of(connection));
    if (client)
        client->is_asking = is_asking;
}

/* ---- streams ---- */

static ssize_t read_stream(void *user, uint64_t offset, char *out, size_t size)
{
    Viewer *viewer = user;
    size_t len = 0, left = viewer->beginning.len - viewer->sent;
    (void)offset;
    if (left > 0) {
        len = left < size ? left : size;
        memcpy(out, viewer->beginning.text + viewer->sent, len);
        viewer->sent += len;
        if (viewer->sent == viewer->beginning.len) {
            buf_release(&viewer->beginning);
            viewer->sent = 0;
        }
        return (ssize_t)len;
    }
    switch (broadcast_read(&viewer->server->broadcast, &viewer->at, out, size, &len)) {
    case BROADCAST_READ:
        return (ssize_t)len;
    case BROADCAST_NONE:
        viewer->is_suspended = true;
        MHD_suspend_connection(viewer->connection);
        return 0;
    case BROADCAST_LOST:
        break;
    }
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

static void free_viewer(void *user)
{
    Viewer *viewer = user;
    Viewer **at = &viewer->server->viewers;
    while (*at != viewer)
        at = &(*at)->next;
    *at = viewer->next;
    buf_release(&viewer->beginning);
    free(viewer);
}

/* What waits in the kernel for a viewer that does not read is bounded too, and the connection lives
 * on. */
static void let_live(WebServer *server, struct MHD_Connection *connection)
{
    int fd = fd_of(connection), size = STREAM_SEND_BUFFER;
    Client *client = find_client(server, true, fd);
    if (client)
        client->ends_ms = INT64_MAX;
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

/* Takes the beginning. */
static enum MHD_Result follow(WebServer *server, struct MHD_Connection *connection,
                              const WebRoute *route, Buf *beginning)
{
    Viewer *viewer =
        web_server_viewers(server) < WEB_VIEWERS_MAX ? calloc(1, sizeof *viewer) : NULL;
    struct MHD_Response *response =
        viewer ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, WEB_MEMORY / 2, read_stream,
                                                   viewer, free_viewer)
               : NULL;
    if (!response) {
        free(viewer);
        buf_release(beginning);
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many viewers\n");
    }
    *viewer = (Viewer){ .next = server->viewers,
                        .server = server,
                        .connection = connection,
                        .beginning = *beginning,
                        .at = server->broadcast.end };
    server->viewers = viewer;
    let_live(server, connection);
    return send_answer(connection, MHD_HTTP_OK, route->type, response);
}

/* ---- answers ---- */

/* Takes the body. */
static enum MHD_Result answer_request(struct MHD_Connection *connection, const WebRoute *route,
                                      WebStatus status, Buf *body)
{
    size_t len = body->len;
    char *bytes = status == WEB_OK ? buf_take(body) : NULL;
    buf_release(body);
    if (status == WEB_NOT_FOUND)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
    if (status == WEB_BUSY)
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "busy; try again\n");
    if (!bytes)
        return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "no memory\n");
    struct MHD_Response *response =
        MHD_create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(bytes);
    return send_answer(connection, MHD_HTTP_OK, route->type, response);
}

static void free_reply(WebReply *reply)
{
    buf_release(&reply->body);
    free(reply);
}

WebReply *web_reply_later(const WebQuery *query, WebOnGone *on_gone, void *user)
{
    WebRequest *request = query->request;
    WebReply *reply = calloc(1, sizeof *reply);
    if (!reply)
        return NULL;
    *reply = (WebReply){ .next = request->server->replies,
                         .server = request->server,
                         .route = request->route,
                         .connection = request->connection,
                         .on_gone = on_gone,
                         .user = user };
    buf_init(&reply->body, WEB_BODY_MAX);
    request->server->replies = reply;
    request->reply = reply;
    return reply;
}

static void tell_gone(WebReply *reply)
{
    WebOnGone *on_gone = reply->on_gone;
    reply->on_gone = NULL;
    if (on_gone && !reply->is_ready)
        on_gone(reply->user);
}

/* The client has its answer, or has gone: then who promised it still holds the reply. */
static void web_server_on_completed(void *user, struct MHD_Connection *connection, void **context,
                                    enum MHD_RequestTerminationCode how)
{
    WebReply *reply = *context;
    (void)how;
    set_asking(user, connection, false);
    if (!reply)
        return;
    WebReply **at = &reply->server->replies;
    while (*at != reply)
        at = &(*at)->next;
    *at = reply->next;
    reply->connection = NULL;
    tell_gone(reply);
    if (reply->is_ready)
        free_reply(reply);
}

static enum MHD_Result show(WebServer *server, struct MHD_Connection *connection,
                            const WebRoute *route, Text rest, void **context)
{
    WebRequest request = { .server = server, .route = route, .connection = connection };
    WebQuery query = { .request = &request, .rest = rest };
    Buf body;
    if (MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, NULL, NULL) >
        WEB_ARGUMENTS_MAX)
        return refuse(connection, MHD_HTTP_BAD_REQUEST, "too many arguments\n");
    MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, web_server_on_argument, &query);
    buf_init(&body, WEB_BODY_MAX);
    WebStatus status = route->write(server->user, &query, &body);
    if (status == WEB_STREAM)
        return follow(server, connection, route, &body);
    if (status == WEB_LATER) {
        buf_release(&body);
        *context = request.reply;
        MHD_suspend_connection(connection);
        return MHD_YES;
    }
    return answer_request(connection, route, status, &body);
}

/* `rest`: what stands for the star. */
static bool is_path_of(const WebRoute *route, const char *path, Text *rest)
{
    size_t len = strcspn(route->path, "*");
    if (route->path[len] == '\0')
        return strcmp(route->path, path) == 0;
    *rest = text_of(path + (strncmp(path, route->path, len) == 0 ? len : strlen(path)));
    return rest->len > 0 && !memchr(rest->at, '/', rest->len);
}

static enum MHD_Result web_server_on_request(void *user, struct MHD_Connection *connection,
                                             const char *path, const char *method,
                                             const char *version, const char *upload,
                                             size_t *upload_size, void **request)
{
    WebServer *server = user;
    (void)version;
    (void)upload;
    (void)upload_size;
    WebReply *reply = *request;
    if (reply) /* it waited for this, or the server closes */
        return reply->is_ready
                   ? answer_request(connection, reply->route, reply->status, &reply->body)
                   : MHD_NO;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "method not allowed\n");
    set_asking(server, connection, true);
    if (server->is_local && (!is_for_us(connection) || is_from_elsewhere(connection)))
        return refuse(connection, MHD_HTTP_FORBIDDEN, "not for other hosts or sites\n");
    for (const WebRoute *route = server->routes; route->path; route++) {
        Text rest = { 0 };
        if (is_path_of(route, path, &rest))
            return show(server, connection, route, rest, request);
    }
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
}

static void end_client(Client *client)
{
    shutdown(client->fd, SHUT_RDWR);
    client->is_ending = true;
    client->ends_ms = INT64_MAX;
}

/* Ends the oldest of those who say nothing, if there are too many. False: all of them have asked,
 * or those who end are not closed yet. */
static bool make_room(WebServer *server)
{
    Client *oldest = NULL;
    int count = 0;
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        Client *client = &server->clients[i];
        if (!client->is_open || client->is_ending)
            continue;
        count++;
        if (!client->is_asking && (!oldest || client->number < oldest->number))
            oldest = client;
    }
    if (!find_client(server, false, 0) || (count >= WEB_CONNECTIONS_MAX && !oldest))
        return false;
    if (count >= WEB_CONNECTIONS_MAX)
        end_client(oldest);
    return true;
}

/* The library's own limit would have it stop listening, and look again only when something else
 * happens: so who is too many is turned away at once. */
static enum MHD_Result web_server_on_accept(void *user, const struct sockaddr *address,
                                            socklen_t size)
{
    (void)address;
    (void)size;
    return make_room(user) ? MHD_YES : MHD_NO;
}

static void web_server_on_connection(void *user, struct MHD_Connection *connection, void **context,
                                     enum MHD_ConnectionNotificationCode what)
{
    bool is_new = what == MHD_CONNECTION_NOTIFY_STARTED;
    WebServer *server = user;
    int fd = fd_of(connection);
    Client *client = find_client(server, !is_new, fd);
    (void)context;
    if (client)
        *client = (Client){ .is_open = is_new,
                            .fd = fd,
                            .number = server->accepted++,
                            .ends_ms = clock_now_ms() + (int64_t)WEB_LIFE_S * 1000 };
}

/* ---- the loop ---- */

static void web_server_on_timer(uv_timer_t *timer);

/* Closes connections whose time is over, by the library; returns when the next one's is. */
static int64_t end_clients(WebServer *server, int64_t now_ms)
{
    int64_t next_ms = INT64_MAX;
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        Client *client = &server->clients[i];
        if (!client->is_open)
            continue;
        if (client->ends_ms <= now_ms)
            end_client(client);
        next_ms = client->ends_ms < next_ms ? client->ends_ms : next_ms;
    }
    return next_ms;
}

/* The library does not look at connections that wait for their answer. Returns when to look again.
 */
static int64_t look_for_gone(WebServer *server, int64_t now_ms)
{
    bool is_waiting = false;
    for (WebReply *reply = server->replies; reply; reply = reply->next) {
        char byte;
        if (reply->is_ready || !reply->on_gone)
            continue;
        is_waiting = true;
        ssize_t len = recv(fd_of(reply->connection), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (len == 0 || (len < 0 && errno != EAGAIN && errno != EINTR))
            tell_gone(reply);
    }
    return is_waiting ? now_ms + GONE_LOOK_MS : INT64_MAX;
}

/* Everything that can be done now, and when to look again by ourselves. */
static void run(WebServer *server)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    int64_t now_ms = clock_now_ms();
    MHD_run(server->mhd);
    int64_t next_ms = int64_min(end_clients(server, now_ms), look_for_gone(server, now_ms));
    if (MHD_get_timeout(server->mhd, &wait_ms) == MHD_YES && (int64_t)wait_ms < next_ms - now_ms)
        next_ms = now_ms + (wait_ms > 0 ? (int64_t)wait_ms : 1); /* others first: see curl_loop.c */
    timer_set(&server->timer, web_server_on_timer, int64_min(next_ms, server->paused_until_ms));
}

static bool has_clients(const WebServer *server)
{
    for (size_t i = 0; i < CLIENTS_MAX; i++)
        if (server->clients[i].is_open)
            return true;
    return false;
}

static void web_server_on_ready(uv_poll_t *poll, int status, int events)
{
    WebServer *server = poll->data;
    bool had_clients = has_clients(server);
    (void)status;
    (void)events;
    run(server);
    if (had_clients || has_clients(server))
        return;
    /* Somebody waits, and cannot be let in: most likely there is no descriptor left. While there
     * are other clients the library itself waits until one goes. */
    uv_poll_stop(poll);
    server->paused_until_ms = clock_now_ms() + PAUSE_MS;
    timer_set(&server->timer, web_server_on_timer, server->paused_until_ms);
}

static void web_server_on_timer(uv_timer_t *timer)
{
    WebServer *server = timer->data;
    if (clock_now_ms() >= server->paused_until_ms) {
        server->paused_until_ms = INT64_MAX;
        uv_poll_start(&server->poll, UV_READABLE, web_server_on_ready);
    }
    run(server);
}

/* Why nobody can listen there, as the kernel says it: from libmicrohttpd 1.0 on, errno is that of
 * its tidying up after a failure. */
static const char *why_not(const Address *address)
{
    const int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const socklen_t size =
        address->any.sa_family == AF_INET6 ? sizeof address->ip6 : sizeof address->ip4;
    const bool can = fd >= 0 &&
                     setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)) == 0 &&
                     bind(fd, &address->any, size) == 0 && listen(fd, 1) == 0;
    const char *why = can ? "the web server does not start" : strerror(errno);
    if (fd >= 0)
        close(fd);
    return why;
}

static bool start(WebServer *server, const Address *address, Error *err)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                     (address->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->mhd = MHD_start_daemon(
        flags, 0, web_server_on_accept, server, web_server_on_request, server, MHD_OPTION_SOCK_ADDR,
        &address->any, MHD_OPTION_NOTIFY_CONNECTION, web_server_on_connection, server,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)WEB_MEMORY, MHD_OPTION_NOTIFY_COMPLETED, web_server_on_completed, server,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (!server->mhd)
        error_set(err, ERR_IO, "cannot listen there: %s", why_not(address));
    return server->mhd;
}

static void free_server(WebServer *server)
{
    broadcast_release(&server->broadcast);
    free(server);
}

bool web_server_new(WebServer **out, uv_loop_t *loop, const Address *address,
                    const WebRoute *routes, void *user, Error *err)
{
    WebServer *server = alloc_zeroed(sizeof *server, "a web server", err);
    if (!server)
        return false;
    server->routes = routes;
    server->user = user;
    server->is_local = address->is_loopback;
    if (!broadcast_init(&server->broadcast))
        error_set(err, ERR_MEMORY, "no memory for streams");
    if (!server->broadcast.ring || !start(server, address, err)) {
        free_server(server);
        return false;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->mhd, MHD_DAEMON_INFO_EPOLL_FD);
    int failure = info ? uv_poll_init(loop, &server->poll, info->epoll_fd) : UV_ENOTSUP;
    if (failure) {
        error_set(err, ERR_IO, "cannot be watched: %s", uv_strerror(failure));
        MHD_stop_daemon(server->mhd);
        free_server(server);
        return false;
    }
    timer_init(loop, &server->timer, server);
    server->poll.data = server;
    server->paused_until_ms = INT64_MAX;
    server->handles = 2;
    uv_poll_start(&server->poll, UV_READABLE, web_server_on_ready);
    *out = server;
    return true;
}

int web_server_port(const WebServer *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->mhd, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static void wake_viewers(WebServer *server)
{
    for (Viewer *viewer = server->viewers; viewer; viewer = viewer->next) {
        if (viewer->is_suspended)
            MHD_resume_connection(viewer->connection);
        viewer->is_suspended = false;
    }
}

void web_server_publish(WebServer *server, const char *bytes, size_t len)
{
    broadcast_put(&server->broadcast, bytes, len);
    wake_viewers(server);
    run(server);
}

void web_reply(WebReply *reply, WebStatus status, Buf *body)
{
    if (!reply->connection) {
        buf_release(body);
        free_reply(reply);
        return;
    }
    reply->is_ready = true;
    reply->status = status;
    reply->body = *body;
    *body = (Buf){ .max = body->max };
    MHD_resume_connection(reply->connection);
    run(reply->server);
}

int web_server_viewers(const WebServer *server)
{
    int count = 0;
    for (const Viewer *viewer = server->viewers; viewer; viewer = viewer->next)
        count++;
    return count;
}

static void web_server_on_handle_closed(uv_handle_t *handle)
{
    WebServer *server = handle->data;
    if (--server->handles == 0)
        free_server(server);
}

void web_server_close(WebServer *server)
{
    if (!server)
        return;
    uv_poll_stop(&server->poll); /* before the library closes what it polls */
    uv_close((uv_handle_t *)&server->poll, web_server_on_handle_closed);
    uv_close((uv_handle_t *)&server->timer, web_server_on_handle_closed);
    wake_viewers(server); /* the library stops with none suspended */
    for (WebReply *reply = server->replies; reply; reply = reply->next)
        if (!reply->is_ready)
            MHD_resume_connection(reply->connection);
    MHD_stop_daemon(server->mhd);
}
