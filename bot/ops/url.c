/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/url.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool url_put_escaped(Buf *out, const char *text)
{
    char *escaped = curl_easy_escape(NULL, text, 0);
    bool ok = escaped && buf_put_text(out, escaped);
    curl_free(escaped);
    return ok;
}

static bool is_loopback(const char *host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(host, names[i]) == 0)
            return true;
    return false;
}

static const char *explain(CURLUcode code)
{
    switch ((int)code) { /* libcurl has many more, and adds to them */
    case CURLUE_BAD_SCHEME:
    case CURLUE_UNSUPPORTED_SCHEME:
        return "not a URL: it must begin with https://";
    case CURLUE_NO_HOST:
        return "not a URL: https://host or https://host:port";
    case CURLUE_BAD_PORT_NUMBER:
        return "not a URL: its port is not within 1..65535";
    case CURLUE_OUT_OF_MEMORY:
        return "no memory";
    default:
        return "not a URL: https://host or https://host:port, no path";
    }
}

/* Of the three, each to be given to curl_free(), what there is. */
static CURLUcode split(const char *url, char **scheme, char **host, char **origin)
{
    static const CURLUPart rest[] = { CURLUPART_PATH, CURLUPART_QUERY, CURLUPART_FRAGMENT };
    char *port = NULL;
    CURLU *parts = curl_url();
    CURLUcode code =
        parts ? curl_url_set(parts, CURLUPART_URL, url, CURLU_DISALLOW_USER) : CURLUE_OUT_OF_MEMORY;
    for (size_t i = 0; code == CURLUE_OK && i < sizeof rest / sizeof *rest; i++)
        code = curl_url_set(parts, rest[i], NULL, 0);
    if (code == CURLUE_OK)
        code = curl_url_get(parts, CURLUPART_SCHEME, scheme, 0);
    if (code == CURLUE_OK)
        code = curl_url_get(parts, CURLUPART_HOST, host, 0);
    if (code == CURLUE_OK)
        code = curl_url_get(parts, CURLUPART_URL, origin, 0);
    if (code == CURLUE_OK && curl_url_get(parts, CURLUPART_PORT, &port, 0) == CURLUE_OK &&
        strcmp(port, "0") == 0) /* which libcurl takes */
        code = CURLUE_BAD_PORT_NUMBER;
    curl_free(port);
    curl_url_cleanup(parts);
    return code;
}

bool url_origin(char *out, size_t size, const char *url, Error *err)
{
    bool ok = false;
    char *scheme = NULL, *host = NULL, *origin = NULL;
    CURLUcode code = split(url, &scheme, &host, &origin);
    size_t len = code == CURLUE_OK ? strlen(origin) : 0;
    if (len > 0 && origin[len - 1] == '/')
        len--;
    if (code == CURLUE_OK && strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
        code = CURLUE_UNSUPPORTED_SCHEME;
    if (code != CURLUE_OK)
        error_set(err, code == CURLUE_OUT_OF_MEMORY ? ERR_MEMORY : ERR_INVALID, "%s",
                  explain(code));
    else if (strcmp(scheme, "http") == 0 && !is_loopback(host))
        error_set(err, ERR_INVALID, "only https:// leaves this machine (http:// is for loopback)");
    else if (len >= size)
        error_set(err, ERR_RANGE, "longer than %zu bytes", size - 1);
    else
        ok = true;
    if (ok) {
        memcpy(out, origin, len);
        out[len] = '\0';
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(origin);
    return ok;
}
