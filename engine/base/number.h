/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - the one place where text becomes a number. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Reads the whole of text[0..len) as a decimal integer with an optional '-'. No blanks, no '+', no
 * rest. False and an Error ("..." is not a whole number / not within lo..hi) otherwise. */
bool number_parse(const char *text, size_t len, int64_t lo, int64_t hi, int64_t *out,
                  Error *err) MUST_CHECK;
