/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_guard.h - closes a TLS connection whose peer floods it with data that libcurl swallows:
 * HTTP/2 control frames, chunk extensions, headers. It also refuses costly handshakes, and keeps
 * session keys, which would reveal the token, out of key log files.
 *
 * libcurl 7.88 reads on as long as data arrives that is not for its stream. Only a callback of
 * OpenSSL's can end that and let the loop go on. All TLS connections of an Http share one limit;
 * the connection that exceeds it is closed. Loop thread only. */
#pragma once
#include "bot/http/flood.h"

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
