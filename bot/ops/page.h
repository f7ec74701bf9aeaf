/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - a read-only web server: libmicrohttpd, driven by the loop.
 *
 * GET and HEAD alone; other methods are refused. Requests are limited in size, in number at once
 * and in time; a head that does not fit is refused by the library. Pages are made on request only.
 * On loopback a request for another host's name is refused: it comes from a page in a browser, by
 * DNS rebinding. Loop thread only. */
#pragma once
#include "bot/ops/address.h"
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <uv.h>

enum {
    PAGE_CONNECTIONS_MAX = 16,
    PAGE_MEMORY = 8192, /* bytes for a connection: its request's head, and the answer's */
    PAGE_IDLE_S = 5,    /* without a byte, */
    PAGE_LIFE_S = 10,   /* and in all: slow clients keep no others out */
    PAGE_BODY_MAX = 1 << 20,
    PAGE_ARGUMENTS_MAX = 16, /* in a query; with more it is refused */
};

typedef struct Page Page;

/* What stands behind "?", decoded, in its order: any bytes. Lent to the route. */
typedef struct {
    size_t count;
    struct {
        Text name, value;
    } at[PAGE_ARGUMENTS_MAX];
} PageQuery;

/* Only of PAGE_OK the body is shown. */
typedef enum { PAGE_OK = 200, PAGE_NOT_FOUND = 404, PAGE_FAILED = 500 } PageStatus;

typedef struct {
    const char *path; /* "/metrics" */
    const char *type; /* of the content */
    PageStatus (*write)(void *user, const PageQuery *query, Buf *out);
} PageRoute;

/* `routes` are lent and end with a path of NULL; `user` is theirs. Port 0 is any free one. False
 * and an Error when the address cannot be used. */
bool page_new(Page **out, uv_loop_t *loop, const Address *address, const PageRoute *routes,
              void *user, Error *err) MUST_CHECK;

int page_port(const Page *page);

/* Closes all connections; the memory goes when the loop has released it. NULL is fine. Not from
 * inside a route. */
void page_close(Page *page);
