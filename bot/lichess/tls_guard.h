/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_guard.h - cuts a connection off whose peer floods it below what libcurl shows: frames of
 * HTTP/2 that belong to no stream, extensions of chunks, heads. It also sees to it that no peer
 * chooses a costly handshake, and that nobody has the keys of a session, and so the token, written
 * down.
 *
 * libcurl 7.88 reads for as long as there is anything to read and nothing of it is for the stream
 * in hand: only what OpenSSL calls on its way can end that, for the loop to go on. All TLS
 * connections of a Http are counted together; the one that goes beyond is the one that ends. Loop
 * thread only. */
#pragma once
#include "bot/lichess/flood.h"

#include <curl/curl.h>

typedef struct {
    Flood flood;
    size_t call_bytes;     /* that came since libcurl was called, */
    int64_t call_began_ms; /* and when the first of them did */
    bool has_cut;          /* until its owner has told of it */
} TlsGuard;

void tls_guard_init(TlsGuard *guard, int64_t now_ms);

/* libcurl has come back from a call. */
void tls_guard_call_over(TlsGuard *guard);

/* Of a request to be: the guard watches the connection that it makes, and outlives that. A libcurl
 * without OpenSSL goes without a guard. */
CURLcode tls_guard_watch(CURL *easy, TlsGuard *guard);
