/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/text_format.h"

#include <assert.h>
#include <stdio.h>

/* Returns what all of it takes; more than `size` - 1 where `out` holds its beginning only. */
PRINTF_LIKE(3, 0)
static size_t write_all(char *out, size_t size, const char *format, va_list arguments)
{
    assert(size > 0);
    int len = vsnprintf(out, size, format, arguments);
    if (len >= 0)
        return (size_t)len;
    out[0] = '\0'; /* a format that the library cannot write */
    return 0;
}

size_t text_format_cut_v(char *out, size_t size, const char *format, va_list arguments)
{
    size_t len = write_all(out, size, format, arguments);
    if (len < size)
        return len;
    len = size - 1;
    size_t begin = len; /* of the last character, which may have lost its end */
    while (begin > 0 && len - begin < 3 && ((unsigned char)out[begin - 1] & 0xc0) == 0x80)
        begin--;
    unsigned char lead = begin > 0 ? (unsigned char)out[begin - 1] : 0;
    size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (wanted > len - begin + 1)
        len = begin - 1;
    out[len] = '\0';
    return len;
}

size_t text_format_cut(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t len = text_format_cut_v(out, size, format, arguments);
    va_end(arguments);
    return len;
}

size_t text_format(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t len = write_all(out, size, format, arguments);
    va_end(arguments);
    assert(len < size);
    return len < size ? len : size - 1;
}

bool text_format_fits(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t len = write_all(out, size, format, arguments);
    va_end(arguments);
    if (len < size)
        return true;
    out[0] = '\0';
    return false;
}
