/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/url_list.h"

#include "bot/ops/url.h"

#include <string.h>

bool url_list_read(UrlList *list, const char *value, Error *err)
{
    UrlList longer = *list;
    while (*(value += strspn(value, ", \t"))) {
        size_t len = strcspn(value, ", \t");
        char url[URL_SIZE] = "", origin[URL_SIZE];
        if (len < sizeof url)
            memcpy(url, value, len);
        if (!url_list_is_file(url) && !url_origin(origin, sizeof origin, url, NULL)) {
            error_set(err, ERR_INVALID,
                      "\"%.*s\" is no address that begins with https://, and no path from / on",
                      (int)len, value);
            return false;
        }
        if (longer.count == URL_LIST_MAX) {
            error_set(err, ERR_RANGE, "more than %d addresses", URL_LIST_MAX);
            return false;
        }
        memcpy(longer.at[longer.count++], url, len + 1);
        value += len;
    }
    *list = longer;
    return true;
}

bool url_list_write(const UrlList *list, Buf *out)
{
    for (int i = 0; i < list->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", list->at[i]))
            return false;
    return true;
}
