/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/http/tls_guard.h"

#include "engine/base/clock.h"

#include <openssl/ssl.h>
#include <string.h>

enum { CALL_BYTES = 256 << 10, CALL_MS = 300 };

void tls_guard_init(TlsGuard *guard, int64_t now_ms)
{
    *guard = (TlsGuard){ .has_cut = false };
    flood_init_connections(&guard->flood, now_ms);
}

void tls_guard_call_over(TlsGuard *guard)
{
    guard->call_bytes = 0;
}

/* Not by the time alone: we may have slept, or be one of too many processes. */
static bool is_endless(TlsGuard *guard, size_t len, int64_t now_ms)
{
    if (guard->call_bytes == 0)
        guard->call_began_ms = now_ms;
    guard->call_bytes += len;
    return guard->call_bytes > CALL_BYTES && now_ms - guard->call_began_ms > CALL_MS;
}

/* From OpenSSL: the head of each record that came. */
static void tls_guard_on_record(int is_ours, int version, int type, const void *head, size_t len,
                                SSL *ssl, void *user)
{
    TlsGuard *guard = user;
    const unsigned char *bytes = head;
    (void)version;
    if (is_ours || type != SSL3_RT_HEADER || len < SSL3_RT_HEADER_LENGTH)
        return;
    int64_t now_ms = clock_now_ms();
    size_t record_len = (size_t)bytes[3] << 8 | bytes[4];
    bool endless = is_endless(guard, record_len, now_ms);
    if (flood_allows_record(&guard->flood, record_len, now_ms) && !endless)
        return;
    guard->has_cut = true;
    flood_init_connections(&guard->flood, now_ms); /* the next connection begins anew */
    SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN);  /* nothing more is read: its end, for libcurl */
}

static CURLcode tls_guard_on_context(CURL *easy, void *context, void *guard)
{
    (void)easy;
    /* A Diffie-Hellman group of the peer's choice may take a second of the loop. */
    if (SSL_CTX_set_cipher_list(context, "DEFAULT:!kDHE") != 1)
        return CURLE_SSL_CIPHER;
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_keylog_callback(context, NULL); /* libcurl's, for SSLKEYLOGFILE */
    SSL_CTX_set_msg_callback(context, tls_guard_on_record);
    SSL_CTX_set_msg_callback_arg(context, guard);
    return CURLE_OK;
}

CURLcode tls_guard_watch(CURL *easy, TlsGuard *guard)
{
    static const char openssl[] = "OpenSSL/";
    const char *tls = curl_version_info(CURLVERSION_NOW)->ssl_version;
    if (!tls || strncmp(tls, openssl, sizeof openssl - 1) != 0)
        return CURLE_OK;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, guard);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, tls_guard_on_context);
}
