/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/printable.h"

#include <assert.h>
#include <inttypes.h>

/* The code point that begins at text[0..len), and how many bytes it takes; 0 bytes when they are
 * not well-formed UTF-8. */
static size_t utf8_decode(const unsigned char *text, size_t len, uint32_t *point)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t bytes = text[0] < 0x80             ? 1
                   : (text[0] & 0xe0) == 0xc0 ? 2
                   : (text[0] & 0xf0) == 0xe0 ? 3
                   : (text[0] & 0xf8) == 0xf0 ? 4
                                              : 0;
    if (bytes == 0 || bytes > len)
        return 0;
    uint32_t value = bytes == 1 ? text[0] : text[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3f);
    }
    if (value < smallest[bytes] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return bytes;
}

/* Ranges of code points, first and last. */
static const struct {
    uint32_t first, last;
} unprintable[] = {
    { 0x00, 0x1f },       { 0x7f, 0x9f },     { 0xad, 0xad },     { 0x61c, 0x61c },
    { 0x180e, 0x180e },   { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
    { 0xfeff, 0xfeff },   { 0xfff9, 0xfffb }, /* interlinear annotations */
    { 0xe0000, 0xe0fff },                     /* tags */
};

static bool is_unprintable(uint32_t point)
{
    for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++)
        if (point >= unprintable[i].first && point <= unprintable[i].last)
            return true;
    return false;
}

PrintableChar printable_next(Text *text)
{
    assert(text->len > 0);
    const unsigned char *bytes = (const unsigned char *)text->at;
    PrintableChar c = { .is_escaped = true };
    uint32_t point = 0;
    size_t taken = utf8_decode(bytes, text->len, &point);
    int n;
    if (taken == 0) {
        n = snprintf(c.text, sizeof c.text, "\\x%02x", bytes[0]);
        taken = 1;
    } else if (is_unprintable(point)) {
        n = point == '\n' ? snprintf(c.text, sizeof c.text, "\\n")
                          : snprintf(c.text, sizeof c.text, "\\u%04" PRIx32, point);
    } else {
        memcpy(c.text, bytes, taken);
        n = (int)taken;
        c.is_escaped = false;
    }
    assert(n > 0 && (size_t)n < sizeof c.text);
    c.len = (size_t)n;
    *text = (Text){ text->at + taken, text->len - taken };
    return c;
}

void printable_copy(char *out, size_t size, Text text)
{
    size_t used = 0;
    assert(size > 0);
    while (text.len > 0) {
        PrintableChar c = printable_next(&text);
        if (c.len >= size - used)
            break;
        memcpy(out + used, c.text, c.len);
        used += c.len;
    }
    out[used] = '\0';
}

void printable_print(FILE *out, Text text)
{
    while (text.len > 0) {
        PrintableChar c = printable_next(&text);
        fwrite(c.text, 1, c.len, out);
    }
}
