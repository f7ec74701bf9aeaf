/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.h - HTTPS requests on the loop: libcurl's multi interface driven by libuv.
 *
 * One pool of connections: HTTP/2 where the server offers it (everything shares one connection),
 * else HTTP/1.1 with keep-alive. After a time-out or a silence new requests go on new connections;
 * what is on the old ones stays there. TLS 1.2 or newer, certificates verified; redirects are not
 * followed. When a kept connection turns out to be dead a GET may be repeated, and a POST of which
 * nothing had gone out; any other POST is sent once, unless `is_repeatable` says otherwise.
 * Loop thread only.
 *
 * Callbacks never come from inside a function of this header, and any function of this header may
 * be called from a callback. After on_done, or after http_cancel(), the HttpRequest is gone. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>
#include <uv.h>

typedef struct Http Http;
typedef struct HttpRequest HttpRequest;

enum {
    HTTP_BODY_MAX = 1 << 20,    /* bytes of an answer that is not streamed */
    HTTP_SMALL_BODY = 64 << 10, /* the same where little is expected */
    HTTP_ETAG_SIZE = 200,
};

/* The parts of an answer's head that castled uses. A header that is longer than its field counts as
 * missing, and so does an ETag with blanks or controls in it. */
typedef struct {
    int status;       /* 200, …; 0: there was no answer */
    int http_version; /* 10, 11, 20 */
    Text content_type;
    Text oauth_scopes;     /* X-OAuth-Scopes: what our token may do, comma-joined; empty: none */
    bool has_oauth_scopes; /* the header was there */
    int64_t retry_after_s; /* at most a day; 0: missing */
    int64_t unix_s;        /* the server's clock (Date); 0: missing */
    Text etag;             /* empty: none */
} HttpHead;

typedef struct {
    const char *origin;  /* "https://lichess.org": the only place that gets the token */
    const char *ca_file; /* NULL or "": the system's certificates, as ca_file.h finds them */
    const char *token;   /* NULL: none; copied, erased with the Http */
    const char *header;  /* "NAME: VALUE" beside the token; NULL: none. Copied */
} HttpOptions;

typedef enum { HTTP_GET, HTTP_POST } HttpMethod;

typedef struct {
    HttpMethod method;
    const char *url;           /* absolute, https (http only for loopback) */
    Text body;                 /* POST: form-encoded; may be empty. Copied */
    const char *if_none_match; /* an ETag that we have; NULL or "": none. Not with `authorize` */
    bool authorize;            /* send the token; the URL must lie under `origin` */
    bool is_json_body;         /* POST: the body is JSON instead */
    bool is_token_body;        /* POST: the token is the body, as text/plain, and is not sent in any
                                  other place; the same holds for the URL */
    bool is_repeatable;    /* POST: if the server ends a kept connection without an answer, send it
                              once more at once, on a new one; it may have been carried out */
    bool fresh_connection; /* not on a connection that exists: for a retry that can't wait */
    size_t body_max;       /* of an answer that is not streamed; 0: HTTP_BODY_MAX */
    int64_t timeout_ms;    /* for the whole request; 0: none (streams) */
    int64_t silence_ms;    /* streams: end as HTTP_SILENT after so long without a byte; 0: never */
} HttpSpec;

typedef enum {
    HTTP_ANSWERED,    /* a whole answer; see status */
    HTTP_UNREACHABLE, /* no name, no connection: the request was certainly not sent */
    HTTP_UNTRUSTED,   /* certificate or TLS handshake refused: not sent either */
    HTTP_TIMED_OUT,   /* may have been sent and carried out */
    HTTP_BROKEN,      /* connection lost: may have been sent and carried out */
    HTTP_SILENT,      /* a stream that said nothing for `silence_ms` */
    HTTP_TOO_LARGE,   /* the answer passed body_max */
} HttpOutcome;

typedef struct {
    HttpOutcome outcome;
    HttpHead head;
    Text body;          /* empty for streamed answers; lent for the call */
    const char *error;  /* "" when HTTP_ANSWERED; else one line in words, without secrets */
    int64_t elapsed_us; /* since http_request() */
    int64_t sent_us;    /* from http_request() until the request was on its way; 0: not sent */
} HttpResult;

typedef struct {
    /* The connection stands and the request goes out on it: again where libcurl repeats it. Comes
     * before the head, which a proxy may hold back. Of a GET; may be NULL. */
    void (*on_sent)(void *user);
    /* The headers are in; lent for the call. May be NULL. */
    void (*on_head)(void *user, const HttpHead *head);
    /* NULL: the body is collected for on_done. Else each piece of a 200's body as it comes; other
     * bodies are collected. */
    void (*on_bytes)(void *user, const char *bytes, size_t len);
    void (*on_done)(void *user, const HttpResult *result); /* exactly once, unless cancelled */
    void *user;
} HttpCallbacks;

/* The caller ends it with http_close(). Copies the options. */
bool http_new(Http **out, uv_loop_t *loop, const HttpOptions *options, Error *err) MUST_CHECK;

/* From now on requests say who is playing: "castled/VERSION user:NAME". NAME must be the token's
 * owner, or the server answers 401. */
bool http_set_user(Http *http, Text name, Error *err) MUST_CHECK;

/* Starts a request. NULL and an Error when it can't even start (bad URL, no memory). */
HttpRequest *http_request(Http *http, const HttpSpec *spec, const HttpCallbacks *callbacks,
                          Error *err) MUST_CHECK;

/* Forgets a request; nothing more is called for it. Whether it reached the server is unknown. */
void http_cancel(HttpRequest *request);

/* All connections may be dead, as after a sleep of the machine: what is under way ends from the
 * loop as it does when a connection is lost, and the next request makes a new one. */
void http_distrust(Http *http, const char *why);

/* Requests in flight, streams included. */
size_t http_active(const Http *http);

/* Cancels everything, closes the connections, erases the token. on_closed (may be NULL) comes from
 * the loop when the memory has gone. */
void http_close(Http *http, void (*on_closed)(void *user), void *user);
