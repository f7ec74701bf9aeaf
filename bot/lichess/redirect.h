/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redirect.h - where the owner's browser comes back to: a tiny HTTP server on 127.0.0.1 that hands
 * on the first line of each request and answers with a page. Whatever listens on loopback is asked
 * by anybody on the machine, and by any page that a browser shows: requests are limited in size,
 * number and time, and nothing in them is trusted. Loop thread only. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <uv.h>

enum { REDIRECT_HEAD_MAX = 8192, REDIRECT_CLIENTS_MAX = 8, REDIRECT_CLIENT_MS = 5000 };

typedef struct Redirect Redirect;

typedef struct {
    int status;        /* of HTTP */
    const char *words; /* for the page, in HTML: never what came from outside */
} RedirectAnswer;

/* `line`: lent, without its end, as it came. */
typedef RedirectAnswer RedirectHandler(void *user, Text line);

/* `port` 0: a free one. */
bool redirect_new(Redirect **out, uv_loop_t *loop, int port, RedirectHandler *handler, void *user,
                  Error *err) MUST_CHECK;

int redirect_port(const Redirect *redirect);

/* Hangs up on everybody; the memory goes when the loop has let go of it. NULL is fine. Not from
 * inside the handler. */
void redirect_close(Redirect *redirect);
