/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_setup.h - what a request is, for libcurl: options, headers, the token. A part of http.c. */
#pragma once
#include "bot/http/http.h"
#include "bot/http/tls_guard.h"

#include <curl/curl.h>

/* The token as the header that goes with a request; NULL: it can't be sent, or there is no memory.
 */
struct curl_slist *http_authorization_new(const char *token, const char *header);

/* Erases it; NULL is fine. */
void http_authorization_free(struct curl_slist *authorization);

/* Has it a blank or a control character, so that it may stand in no request? */
bool http_has_control(const char *text);

/* False and an Error where the URL is none, or the token would go to another place than `origin`.
 */
bool http_may_send(const HttpSpec *spec, const char *origin, bool has_token, Error *err) MUST_CHECK;

/* What a handle takes beside the spec; everything is lent until the handle has gone. */
typedef struct {
    const char *user_agent;
    const char *ca_file;              /* NULL: the system's certificates */
    struct curl_slist *authorization; /* NULL: none */
    TlsGuard *guard;                  /* of all connections */
    bool is_fresh_connection;
    void *user;  /* of the functions, and what CURLINFO_PRIVATE tells */
    char *error; /* CURL_ERROR_SIZE bytes for libcurl's words */
    curl_write_callback on_header, on_body;
    curl_prereq_callback on_before; /* a request is about to go out */
} HttpSetup;

/* Of a spec that may be sent. Also gives *headers, for curl_slist_free_all() once the handle has
 * gone; NULL: it has none. False: libcurl refuses, or there is no memory. */
bool http_setup(CURL *easy, const HttpSpec *spec, const HttpSetup *setup,
                struct curl_slist **headers) MUST_CHECK;
