/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - a read-only web server: libmicrohttpd, driven by the loop.
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
    PAGE_CONNECTIONS_MAX = 128,
    PAGE_VIEWERS_MAX = 64, /* of them: those of a stream, which have no limit of time */
    PAGE_MEMORY = 32768,   /* bytes for a connection: its request's head, and the answer's */
    PAGE_IDLE_S = 5,       /* without a byte, */
    PAGE_LIFE_S = 10,      /* and in all: slow clients keep no others out */
    PAGE_BODY_MAX = 1 << 20,
    PAGE_ARGUMENTS_MAX = 16, /* in a query; with more it is refused */
};

typedef struct Page Page;
typedef struct PageRequest PageRequest;

/* What stands behind "?", decoded, in its order: any bytes. Lent to the route. */
typedef struct {
    PageRequest *request; /* that is being answered, for page_reply_later() */
    Text rest; /* of the path, where the route's ends with "*": neither empty nor with a "/" */
    size_t count;
    struct {
        Text name, value;
    } at[PAGE_ARGUMENTS_MAX];
} PageQuery;

typedef enum {
    PAGE_OK,        /* the body is shown */
    PAGE_STREAM,    /* so it is, and page_publish() goes on */
    PAGE_LATER,     /* page_reply() follows; the body is not shown, nor with those below */
    PAGE_NOT_FOUND, /* there is no such page */
    PAGE_BUSY,      /* it may be asked for again */
    PAGE_FAILED,    /* no memory, or too little room */
} PageStatus;

typedef struct {
    const char *path; /* "/metrics", or "/game/" and a star: with any one name behind it */
    const char *type; /* of the content */
    PageStatus (*write)(void *user, const PageQuery *query, Buf *out);
} PageRoute;

/* An answer that a route has promised. */
typedef struct PageReply PageReply;

/* For a route, which then returns PAGE_LATER: the caller's until page_reply(). What the query lends
 * is gone by then. `on_gone` comes at most once, from the loop, when the client has closed its
 * connection or its time is over: nobody will read the answer, which is owed all the same. NULL
 * without memory. */
typedef void PageOnGone(void *user);
PageReply *page_reply_later(const PageQuery *query, PageOnGone *on_gone, void *user);

/* The answer, with the body where it is PAGE_OK; takes both, and leaves `body` empty. It reaches
 * nobody where the client or the page has gone. Never PAGE_STREAM or PAGE_LATER. Not from inside a
 * route. */
void page_reply(PageReply *reply, PageStatus status, Buf *body);

/* `routes` are lent and end with a path of NULL; `user` is theirs. Port 0 is any free one. False
 * and an Error when the address cannot be used. */
bool page_new(Page **out, uv_loop_t *loop, const Address *address, const PageRoute *routes,
              void *user, Error *err) MUST_CHECK;

int page_port(const Page *page);

/* Sends `bytes` (at most BROADCAST_SIZE) to all viewers of a stream. Not from inside a route. */
void page_publish(Page *page, const char *bytes, size_t len);

/* The number of viewers of a stream. */
int page_viewers(const Page *page);

/* Closes all connections; the memory goes when the loop has released it. NULL is fine. Not from
 * inside a route. */
void page_close(Page *page);
