/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis_html.h - what our engine found in a finished game, for a browser: accuracy, and the
 * moves that lost points with their causes. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

/* `analysis`: of analysis_json.h; NULL: nothing is written. False when `out` is full. */
bool analysis_html_write(Buf *out, const struct json_object *analysis) MUST_CHECK;
