/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/url_list.h"

#include "bot/ops/url.h"

#include <string.h>

static size_t parse_url(void *item, const char *text, Error *err)
{
    size_t len = strcspn(text, LIST_BLANKS);
    char *url = item, origin[URL_SIZE];
    if (len < URL_SIZE)
        memcpy(url, text, len);
    if (url_list_is_file(url) || url_origin(origin, sizeof origin, url, NULL))
        return len;
    error_set(err, ERR_INVALID,
              "\"%.*s\" is no address that begins with https://, and no path from / on", (int)len,
              text);
    return 0;
}

const ListKind url_list_kind = { LIST_OF(UrlList), "addresses",           ", ", LIST_MAY_BE_EMPTY,
                                 parse_url,        value_list_write_text, NULL };
