/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/url.h"

#include <curl/curl.h>

bool url_put_escaped(Buf *out, const char *text)
{
    char *escaped = curl_easy_escape(NULL, text, 0);
    bool ok = escaped && buf_put_text(out, escaped);
    curl_free(escaped);
    return ok;
}
