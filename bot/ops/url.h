/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url.h - URLs, written and read by libcurl, which also makes the requests: what is checked here is
 * what is requested there. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/error.h"

/* Appends `text` as a value in a query or a form: all but letters, digits and "-._~" as %HH.
 * False when `out` is full. */
bool url_put_escaped(Buf *out, const char *text) MUST_CHECK;

/* Writes scheme, host and port of `url`, as "https://host:8443": https, or http where the host is
 * this machine; no user's name. False and an Error otherwise, also when `size` is too small. */
bool url_origin(char *out, size_t size, const char *url, Error *err) MUST_CHECK;
