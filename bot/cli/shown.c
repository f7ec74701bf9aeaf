/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/shown.h"

#include "bot/ops/printable.h"

Shown shown(Text text)
{
    Shown out;
    printable_copy(out.text, sizeof out.text, text);
    return out;
}

Shown shown_error(const Error *err)
{
    return shown(text_of(err->text));
}

/* A tag of Unicode's, U+E0000 to U+E0FFF, of which JSON knows the two surrogates only. */
static void print_tag(FILE *out, Text tag)
{
    unsigned low = (unsigned char)tag.at[3] & 0x3fu, middle = (unsigned char)tag.at[2] & 0x3fu;
    fprintf(out, "\\udb40\\u%04x", 0xdc00u + ((middle << 6 | low) & 0x3ffu));
}

void shown_json(FILE *out, const char *json)
{
    for (Text rest = text_of(json); rest.len > 0;) {
        Text from = rest;
        PrintableChar c = printable_next(&rest);
        size_t taken = from.len - rest.len;
        if (c.is_escaped && c.text[1] == 'x') /* no UTF-8, so no JSON either */
            fputs("\\ufffd", out);
        else if (taken == 4 && c.is_escaped)
            print_tag(out, from);
        else
            fwrite(c.text, 1, c.len, out);
    }
    fputc('\n', out);
}
