/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/control_request.h"

#include <string.h>

static bool copy_line(ControlRequest *out, const char *line, size_t len, Error *err)
{
    if (len >= sizeof out->text) {
        error_set(err, ERR_RANGE, "a request of more than %d bytes", CONTROL_LINE_MAX - 1);
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (line[i] < ' ' || line[i] > '~') {
            error_set(err, ERR_INVALID, "a request that is not printable ASCII");
            return false;
        }
    }
    if (len > 0)
        memcpy(out->text, line, len);
    out->text[len] = '\0';
    return true;
}

bool control_request_parse(ControlRequest *out, const char *line, size_t len, Error *err)
{
    out->count = 0;
    if (len > 0 && line[len - 1] == '\r')
        len--;
    if (!copy_line(out, line, len, err))
        return false;
    for (char *at = out->text; *(at += strspn(at, " "));) {
        if (out->count == CONTROL_WORDS_MAX) {
            error_set(err, ERR_RANGE, "a request of more than %d words", CONTROL_WORDS_MAX);
            return false;
        }
        out->words[out->count++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    if (out->count == 0)
        error_set(err, ERR_INVALID, "an empty request");
    return out->count > 0;
}
