/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - a web server for those who only look: libmicrohttpd, driven by the loop.
 *
 * GET and HEAD alone, whatever else is asked is refused. Requests are limited in size, in number at
 * once and in time; a head that does not fit is refused by the library. Nothing is made until
 * somebody asks, and nothing runs meanwhile. Where only this machine can ask, a request for
 * another host's name is refused: it comes from a page in somebody's browser whose name was turned
 * to us. Loop thread only. */
#pragma once
#include "bot/ops/address.h"
#include "engine/base/buf.h"

#include <uv.h>

enum {
    PAGE_CONNECTIONS_MAX = 16,
    PAGE_MEMORY = 8192, /* bytes for a connection: its request's head, and the answer's */
    PAGE_IDLE_S = 5,    /* without a byte */
    PAGE_BODY_MAX = 1 << 20,
};

typedef struct Page Page;

typedef struct {
    const char *path;                    /* "/metrics" */
    const char *type;                    /* of the content */
    bool (*write)(void *user, Buf *out); /* false: it can't be made now */
} PageRoute;

/* `routes` are lent and end with a path of NULL; `user` is theirs. False and an Error when nobody
 * can listen there. */
bool page_new(Page **out, uv_loop_t *loop, const Address *address, const PageRoute *routes,
              void *user, Error *err) MUST_CHECK;

/* Hangs up on everybody; the memory goes when the loop has let go of it. NULL is fine. */
void page_close(Page *page);
