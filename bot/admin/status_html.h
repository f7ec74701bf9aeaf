/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_html.h - the status as a table for a browser: the queue, what is planned, requests, and so
 * on; the games have game_html.h. Names and other foreign text are escaped. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

/* `status`: of status_report_make(). False when `out` is full. */
bool status_html_write(const struct json_object *status, Buf *out) MUST_CHECK;
