/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_format.h - text in a buffer of fixed size, by printf()'s formats. `size` counts the NUL and
 * is not 0. `out` always ends in a NUL. Any thread. */
#pragma once
#include "engine/base/error.h"

#include <stdarg.h>
#include <stddef.h>

/* For text that fits by what it is made of: a debug build asserts that it does. Returns the bytes
 * written, without the NUL. */
size_t text_format(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

/* For text that people read: too much is cut off, by whole UTF-8 characters. Returns the bytes
 * kept, without the NUL. */
size_t text_format_cut(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
size_t text_format_cut_v(char *out, size_t size, const char *format, va_list arguments)
    PRINTF_LIKE(3, 0);

/* For names, paths and addresses, which mean something else once cut: false, and "" in `out`, where
 * it does not fit. */
bool text_format_fits(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4) MUST_CHECK;
