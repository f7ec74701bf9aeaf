/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics.h - the status as numbers for Prometheus, in its text format: each with its help and its
 * type, times in seconds, sizes in bytes. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

/* `status`: of status_json_make(). What it lacks is left out. False when `out` is full. */
bool metrics_write(const struct json_object *status, Buf *out) MUST_CHECK;
