/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `more` bytes and a NUL. */
static bool reserve(Buf *buf, size_t more)
{
    if (more > buf->max - buf->len)
        return false;
    size_t need = buf->len + more + 1;
    if (need <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    if (capacity > buf->max + 1)
        capacity = buf->max + 1;
    char *text = realloc(buf->text, capacity);
    if (!text)
        return false;
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void buf_init(Buf *buf, size_t max)
{
    *buf = (Buf){ .max = max };
}

void buf_release(Buf *buf)
{
    free(buf->text);
    buf_init(buf, buf->max);
}

void buf_reset(Buf *buf)
{
    buf->len = 0;
    if (buf->text)
        buf->text[0] = '\0';
}

bool buf_put(Buf *buf, const void *bytes, size_t len)
{
    if (!reserve(buf, len))
        return false;
    if (len)
        memcpy(buf->text + buf->len, bytes, len);
    buf->len += len;
    buf->text[buf->len] = '\0';
    return true;
}

bool buf_put_text(Buf *buf, const char *text)
{
    return buf_put(buf, text, strlen(text));
}

bool buf_put_char(Buf *buf, char c)
{
    return buf_put(buf, &c, 1);
}

bool buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    bool ok = need >= 0 && reserve(buf, (size_t)need);
    if (ok) {
        int wrote = vsnprintf(buf->text + buf->len, (size_t)need + 1, format, again);
        ok = wrote == need;
        buf->text[buf->len + (ok ? (size_t)need : 0)] = '\0';
        buf->len += ok ? (size_t)need : 0;
    }
    va_end(again);
    return ok;
}

bool buf_read(Buf *buf, FILE *file, Error *err)
{
    char chunk[4096];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (!buf_put(buf, chunk, n)) {
            error_set(err, ERR_RANGE, "larger than %zu bytes", buf->max);
            return false;
        }
    }
    if (ferror(file))
        error_set(err, ERR_IO, "cannot read: %s", strerror(errno));
    return !ferror(file);
}

void buf_consume(Buf *buf, size_t len)
{
    if (len >= buf->len) {
        buf_reset(buf);
        return;
    }
    memmove(buf->text, buf->text + len, buf->len - len + 1);
    buf->len -= len;
}

const char *buf_view(const Buf *buf)
{
    return buf->text ? buf->text : "";
}

char *buf_take(Buf *buf)
{
    char *text = buf->text ? buf->text : calloc(1, 1);
    buf_init(buf, buf->max);
    return text;
}
