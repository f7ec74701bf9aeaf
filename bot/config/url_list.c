/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/url_list.h"

#include <ctype.h>
#include <string.h>

/* A host, and nothing that a URL cannot hold. */
static bool is_link(const char *text, size_t len)
{
    static const char *const starts[] = { "https://", "http://127.0.0.1", "http://localhost",
                                          "http://[::1]" };
    size_t start = 0;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            start = strlen(starts[i]);
    bool is_secure = strncmp(text, starts[0], strlen(starts[0])) == 0;
    if (start == 0 || len < start ||
        (is_secure && (len == start || !isalnum((unsigned char)text[start]))))
        return false;
    if (!is_secure && len > start && text[start] != ':' && text[start] != '/')
        return false; /* localhost.example.org */
    for (size_t i = 0; i < len; i++)
        if (!isgraph((unsigned char)text[i]) || text[i] == '@')
            return false;
    return true;
}

bool url_list_read(UrlList *list, const char *value, Error *err)
{
    UrlList longer = *list;
    while (*(value += strspn(value, ", \t"))) {
        size_t len = strcspn(value, ", \t");
        if (len >= URL_SIZE || !is_link(value, len)) {
            error_set(err, ERR_INVALID, "\"%.*s\" is no address that begins with https://",
                      (int)len, value);
            return false;
        }
        if (longer.count == URL_LIST_MAX) {
            error_set(err, ERR_RANGE, "more than %d addresses", URL_LIST_MAX);
            return false;
        }
        memcpy(longer.at[longer.count], value, len);
        longer.at[longer.count++][len] = '\0';
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
