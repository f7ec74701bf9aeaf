/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url_list.h - addresses on the web, with their paths. A plain value. */
#pragma once
#include "engine/base/buf.h"

enum { LINKS_MAX = 4, LINK_SIZE = 200 };

typedef struct {
    int count;
    char at[LINKS_MAX][LINK_SIZE];
} LinkList;

/* Adds those of "URL, URL": https, or http to this machine. False, an Error and the list untouched
 * when one is none. */
bool links_read(LinkList *list, const char *value, Error *err) MUST_CHECK;
bool links_write(const LinkList *list, Buf *out) MUST_CHECK;
