/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_set(Error *err, ErrorCode code, const char *format, ...)
{
    if (!err || err->code != ERR_NONE)
        return;
    err->code = code;
    va_list args;
    va_start(args, format);
    if (vsnprintf(err->text, sizeof err->text, format, args) < 0)
        err->text[0] = '\0';
    va_end(args);
}

void error_prefix(Error *err, const char *format, ...)
{
    if (!error_is_set(err))
        return;
    char what[sizeof err->text];
    memcpy(what, err->text, sizeof what);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t at = used < 0 ? 0 : (size_t)used;
    if (at + 2 < sizeof err->text) {
        err->text[at++] = ':';
        err->text[at++] = ' ';
        size_t room = sizeof err->text - at - 1;
        size_t len = strnlen(what, room);
        memcpy(err->text + at, what, len);
        err->text[at + len] = '\0';
    }
}
