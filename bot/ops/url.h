/* SPDX-License-Identifier: GPL-3.0-or-later */
/* url.h - URLs, written and read by libcurl, which also makes the requests: what is judged here is
 * what is asked there. Pure. */
#pragma once
#include "engine/base/buf.h"

/* Appends `text` as a value in a query or a form: all but letters, digits and "-._~" as %HH.
 * False when `out` is full. */
bool url_put_escaped(Buf *out, const char *text) MUST_CHECK;
