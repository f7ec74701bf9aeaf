/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/http_setup.h"

#include "bot/ops/url.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <string.h>

enum {
    CONNECT_TIMEOUT_MS = 10000,
    DEAD_PEER_MS = 8000, /* bytes without acknowledgement end a connection */
    KEEPALIVE_IDLE_S = 10,
    KEEPALIVE_INTERVAL_S = 3,
    RECEIVE_BUFFER = 8192,
    UPLOAD_BUFFER = 16384, /* libcurl's smallest */
    URL_MAX = 2000,
};

static const char authorization_start[] = "Authorization: Bearer ";

/* What libcurl will ask is what libcurl compares here. */
static bool lies_under(const char *url, const char *origin)
{
    char asked[URL_MAX + 1];
    return url_origin(asked, sizeof asked, url, NULL) && strcmp(asked, origin) == 0;
}

/* A peer that acknowledges nothing is gone long before TCP itself would say so. */
static int http_setup_on_socket_made(void *user, curl_socket_t fd, curlsocktype purpose)
{
    (void)user;
    (void)purpose;
    unsigned timeout_ms = DEAD_PEER_MS;
    /* Where the system has no such option the keep-alive probes remain. */
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
    return CURL_SOCKOPT_OK;
}

/* The headers of its own; false: no memory. */
static bool make_headers(const HttpSpec *spec, struct curl_slist **headers)
{
    char line[HTTP_ETAG_SIZE + 20];
    if (spec->is_json_body) {
        assert(!spec->authorize);
        *headers = curl_slist_append(NULL, "Content-Type: application/json");
        return *headers;
    }
    if (spec->is_token_body) {
        *headers = curl_slist_append(NULL, "Content-Type: text/plain");
        return *headers;
    }
    if (!spec->if_none_match || spec->if_none_match[0] == '\0')
        return true;
    assert(!spec->authorize);
    if (http_has_control(spec->if_none_match)) /* foreign, and kept by an older castled */
        return true;
    if (text_format_fits(line, sizeof line, "If-None-Match: %s", spec->if_none_match))
        *headers = curl_slist_append(NULL, line);
    return *headers;
}

/* The long list of what a request is, for libcurl. */
static bool set_options(CURL *easy, const HttpSpec *spec, const HttpSetup *setup,
                        struct curl_slist *headers)
{
    bool is_secure = strncmp(spec->url, "https://", 8) == 0;
    int64_t connect_ms = spec->timeout_ms > 0 && spec->timeout_ms < CONNECT_TIMEOUT_MS
                             ? spec->timeout_ms
                             : CONNECT_TIMEOUT_MS;
    CURLcode code = CURLE_OK;
#define SET(option, value)                                                                         \
    do {                                                                                           \
        if (code == CURLE_OK)                                                                      \
            code = curl_easy_setopt(easy, option, value);                                          \
    } while (0)
    SET(CURLOPT_URL, spec->url);
    SET(CURLOPT_PROTOCOLS_STR, is_secure ? "https" : "http");
    if (!is_secure) /* loopback: a proxy on the way would read the token */
        SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_PRIVATE, setup->user);
    SET(CURLOPT_ERRORBUFFER, setup->error);
    SET(CURLOPT_USERAGENT, setup->user_agent);
    SET(CURLOPT_HEADERFUNCTION, setup->on_header);
    SET(CURLOPT_HEADERDATA, setup->user);
    SET(CURLOPT_WRITEFUNCTION, setup->on_body);
    SET(CURLOPT_WRITEDATA, setup->user);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);     /* else giving up a request waits for its name's resolution */
    SET(CURLOPT_FOLLOWLOCATION, 0L); /* the token goes nowhere else */
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_PIPEWAIT, 1L); /* rather share a connection that is being made than make one */
    SET(CURLOPT_TCP_NODELAY, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_IDLE_S);
    SET(CURLOPT_TCP_KEEPINTVL, (long)KEEPALIVE_INTERVAL_S);
    SET(CURLOPT_SOCKOPTFUNCTION, http_setup_on_socket_made);
    SET(CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_BUFFER);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    SET(CURLOPT_TIMEOUT_MS, (long)spec->timeout_ms);
    if (setup->ca_file)
        SET(CURLOPT_CAINFO, setup->ca_file);
    if (spec->authorize)
        SET(CURLOPT_HTTPHEADER, setup->authorization);
    else if (headers)
        SET(CURLOPT_HTTPHEADER, headers);
    if (setup->is_fresh_connection)
        SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_PREREQDATA, setup->user);
    SET(CURLOPT_PREREQFUNCTION, setup->on_before);
    if (spec->is_token_body) /* as it lies there: libcurl makes no copy */
        SET(CURLOPT_POSTFIELDS, setup->authorization->data + sizeof authorization_start - 1);
    if (spec->method == HTTP_POST && !spec->is_token_body) {
        SET(CURLOPT_POSTFIELDSIZE, (long)spec->body.len);
        SET(CURLOPT_COPYPOSTFIELDS, spec->body.len > 0 ? spec->body.at : "");
    }
#undef SET
    return code == CURLE_OK && tls_guard_watch(easy, setup->guard) == CURLE_OK;
}

struct curl_slist *http_authorization_new(const char *token, const char *header)
{
    char line[2000];
    struct curl_slist *authorization = NULL;
    if (text_format_fits(line, sizeof line, "%s%s", authorization_start, token) &&
        !http_has_control(token))
        authorization = curl_slist_append(NULL, line);
    OPENSSL_cleanse(line, sizeof line);
    if (authorization && header && !curl_slist_append(authorization, header)) {
        http_authorization_free(authorization);
        return NULL;
    }
    return authorization;
}

void http_authorization_free(struct curl_slist *authorization)
{
    if (authorization)
        OPENSSL_cleanse(authorization->data, strlen(authorization->data));
    curl_slist_free_all(authorization);
}

bool http_has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return true;
    return false;
}

bool http_may_send(const HttpSpec *spec, const char *origin, bool has_token, Error *err)
{
    CHECK(!spec->is_token_body || (spec->method == HTTP_POST && !spec->authorize));
    if ((spec->authorize || spec->is_token_body) && !lies_under(spec->url, origin)) {
        error_set(err, ERR_INVALID, "the token is for %s only", origin);
        return false;
    }
    if (spec->is_token_body && !has_token) {
        error_set(err, ERR_INVALID, "there is no token");
        return false;
    }
    if (strlen(spec->url) > URL_MAX || http_has_control(spec->url)) {
        error_set(err, ERR_INVALID, "not a URL");
        return false;
    }
    return true;
}

bool http_setup(CURL *easy, const HttpSpec *spec, const HttpSetup *setup,
                struct curl_slist **headers)
{
    return make_headers(spec, headers) && set_options(easy, spec, setup, *headers);
}
