/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/html.h"

#include "bot/lichess/jsonread.h"
#include "bot/ops/printable.h"

bool html_put(Buf *out, Text text)
{
    static const struct {
        char c;
        const char *entity;
    } escapes[] = {
        { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\'', "&#39;" },
    };
    bool ok = true;
    while (ok && text.len > 0) {
        PrintableChar shown = printable_next(&text);
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
            if (shown.len == 1 && shown.text[0] == escapes[i].c)
                entity = escapes[i].entity;
        ok = entity ? buf_put_text(out, entity) : buf_put(out, shown.text, shown.len);
    }
    return ok;
}

bool html_put_member(Buf *out, const struct json_object *from, const char *key)
{
    return html_put(out, jsonread_text(from, key));
}
