/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url_list.h - addresses on the web, with their paths, and files. A plain value. */
#pragma once
#include "engine/base/buf.h"

enum { URL_LIST_MAX = 4, URL_SIZE = 200 };

typedef struct {
    int count;
    char at[URL_LIST_MAX][URL_SIZE];
} UrlList;

/* Adds those of "URL, URL": https, or http to this machine, or a file's path, from the root on.
 * False, an Error and the list untouched when one is none. */
bool url_list_read(UrlList *list, const char *value, Error *err) MUST_CHECK;

/* Is it a path? */
static inline bool url_list_is_file(const char *url)
{
    return url[0] == '/';
}

bool url_list_write(const UrlList *list, Buf *out) MUST_CHECK;
