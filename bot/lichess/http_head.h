/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_head.h - what castled wants to know of an answer's head, read line by line. Pure. */
#pragma once
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { HTTP_ETAG_SIZE = 200 };

typedef struct {
    int status; /* 200, …; 0: there was no answer. Not told by the lines that are read here */
    Text content_type;
    Text oauth_scopes;     /* X-OAuth-Scopes: what our token may do, comma-joined; empty: none */
    bool has_oauth_scopes; /* the header was there */
    int64_t retry_after_s; /* 0: not told */
    Text etag;             /* empty: none */
    int http_version;      /* 10, 11, 20; as the status */
} HttpHead;

/* Must stay where it is: the head's texts lie in it. Starts as zeros. */
typedef struct {
    HttpHead head;
    char content_type[100], oauth_scopes[400], etag[HTTP_ETAG_SIZE];
} HttpHeadReader;

/* Takes a line of any bytes, with its end. A status line begins the head anew, as after 100
 * Continue; what is not understood, or is longer than its place, counts as not told. True at the
 * empty line: the head ends, or trailers do. */
bool http_head_line(HttpHeadReader *reader, const char *line, size_t len);
