/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.h - foreign text in a page of ours. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <json-c/json.h>

/* Fit to stand between tags and in a quoted attribute. False when `out` is full. */
bool html_put(Buf *out, Text text) MUST_CHECK;

/* The text of this member; nothing where it has none. */
bool html_put_member(Buf *out, const struct json_object *from, const char *key) MUST_CHECK;
