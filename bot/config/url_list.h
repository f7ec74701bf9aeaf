/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url_list.h - addresses on the web, with their paths, and files. A plain value. */
#pragma once
#include "bot/config/value_list.h"

enum { URL_LIST_MAX = 4, URL_SIZE = 200 };

typedef struct {
    int count;
    char at[URL_LIST_MAX][URL_SIZE];
} UrlList;

/* "URL, URL": https, or http to this machine, or a file's path, from the root on. */
extern const ListKind url_list_kind;

/* Is it a path? */
static inline bool url_list_is_file(const char *url)
{
    return url[0] == '/';
}
