/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web_server.h - a read-only web server: libmicrohttpd, driven by the loop.
 *
 * GET and HEAD alone; other methods are refused. Requests are limited in size, in number at once
 * and in time; a head that does not fit is refused by the library. Where there are too many
 * connections, the oldest that has not asked for anything makes room. Pages are made on request
 * only. On loopback a request for another host's name is refused: it comes from a page in a
 * browser, by DNS rebinding. So is what another site's page has loaded into itself.
 *
 * A client that cannot be let in, as the process has no descriptor left, is tried again each
 * second. A client that asks for a stream is sent all that is published from then on. One that
 * reads too slowly is dropped as soon as the ring of broadcast.h has passed it. Loop thread only.
 */
#pragma once
#include "bot/ops/address.h"
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <uv.h>

enum {
    WEB_CONNECTIONS_MAX = 128,
    WEB_VIEWERS_MAX = 64, /* of them: those of a stream, which have no limit of time */
    WEB_MEMORY = 32768,   /* bytes for a connection: its request's head, and the answer's */
    WEB_IDLE_S = 5,       /* without a byte, */
    WEB_LIFE_S = 10,      /* and in all: slow clients keep no others out */
    WEB_BODY_MAX = 1 << 20,
    WEB_ARGUMENTS_MAX = 16, /* in a query; with more it is refused */
};

typedef struct WebServer WebServer;
typedef struct WebRequest WebRequest;

/* What stands behind "?", decoded, in its order: any bytes. Lent to the route. */
typedef struct {
    WebRequest *request; /* that is being answered, for web_reply_later() */
    Text rest; /* of the path, where the route's ends with "*": neither empty nor with a "/" */
    size_t count;
    struct {
        Text name, value;
    } at[WEB_ARGUMENTS_MAX];
} WebQuery;

typedef enum {
    WEB_OK,        /* the body is shown */
    WEB_STREAM,    /* so it is, and web_server_publish() goes on */
    WEB_LATER,     /* web_reply() follows; the body is not shown, nor with those below */
    WEB_NOT_FOUND, /* there is no such page */
    WEB_BUSY,      /* it may be asked for again */
    WEB_FAILED,    /* no memory, or too little room */
} WebStatus;

typedef struct {
    const char *path; /* "/metrics", or "/game/" and a star: with any one name behind it */
    const char *type; /* of the content */
    WebStatus (*write)(void *user, const WebQuery *query, Buf *out);
} WebRoute;

/* An answer that a route has promised. */
typedef struct WebReply WebReply;

/* For a route, which then returns WEB_LATER: the caller's until web_reply(). What the query lends
 * is gone by then. `on_gone` comes at most once, from the loop, when the client has closed its
 * connection or its time is over: nobody will read the answer, which is owed all the same. NULL
 * without memory. */
typedef void WebOnGone(void *user);
WebReply *web_reply_later(const WebQuery *query, WebOnGone *on_gone, void *user);

/* The answer, with the body where it is WEB_OK; takes both, and leaves `body` empty. It reaches
 * nobody where the client or the server has gone. Never WEB_STREAM or WEB_LATER. Not from inside a
 * route. */
void web_reply(WebReply *reply, WebStatus status, Buf *body);

/* `routes` are lent and end with a path of NULL; `user` is theirs. Port 0 is any free one. False
 * and an Error when the address cannot be used. */
bool web_server_new(WebServer **out, uv_loop_t *loop, const Address *address,
                    const WebRoute *routes, void *user, Error *err) MUST_CHECK;

int web_server_port(const WebServer *server);

/* Sends `bytes` (at most BROADCAST_SIZE) to all viewers of a stream. Not from inside a route. */
void web_server_publish(WebServer *server, const char *bytes, size_t len);

/* The number of viewers of a stream. */
int web_server_viewers(const WebServer *server);

/* Closes all connections; the memory goes when the loop has released it. NULL is fine. Not from
 * inside a route. */
void web_server_close(WebServer *server);
