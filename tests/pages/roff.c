/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/pages/roff.h"

#include <ctype.h>
#include <string.h>

enum { LINE_MAX_LEN = 78 };

/* A character of UTF-8 at *at, which moves behind it. The text is ours, so it is well formed. */
static unsigned code_point(const char **at)
{
    unsigned char first = (unsigned char)*(*at)++;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    unsigned code = more ? first & (0x3fu >> more) : first;
    for (; more > 0; more--)
        code = code << 6 | ((unsigned char)*(*at)++ & 0x3fu);
    return code;
}

static bool put_character(Buf *out, const char **at)
{
    unsigned code = code_point(at);
    switch (code) {
    case '\\':
        return buf_put_text(out, "\\e");
    case '-':
        return buf_put_text(out, "\\-");
    case '"':
        return buf_put_text(out, "\\(dq");
    default:
        return code < 0x80 ? buf_put_char(out, (char)code) : buf_printf(out, "\\[u%04X]", code);
    }
}

static bool put_escaped(Buf *out, const char *text, const char *end)
{
    bool ok = true;
    while (text < end && ok)
        ok = put_character(out, &text);
    return ok;
}

bool roff_line(Buf *out, const char *line)
{
    return buf_printf(out, "%s\n", line);
}

bool roff_macro(Buf *out, const char *macro, const char *const *arguments)
{
    bool ok = buf_printf(out, ".%s", macro);
    for (; *arguments && ok; arguments++)
        ok = buf_put_text(out, " \"\\&") &&
             put_escaped(out, *arguments, *arguments + strlen(*arguments)) &&
             buf_put_text(out, "\\&\"");
    return ok && buf_put_char(out, '\n');
}

/* Behind the sentence that begins here: its full stop, or the end. */
static const char *sentence_end(const char *text)
{
    for (; *text; text++)
        if (strchr(".?!", *text) && text[1] == ' ' && !islower((unsigned char)text[2]))
            return text + 1;
    return text;
}

/* In lines of at most LINE_MAX_LEN bytes, as far as words allow. */
static bool put_sentence(Buf *out, const char *text, const char *end)
{
    size_t line = out->len;
    bool ok = true;
    while (text < end && ok) {
        size_t before = out->len, word = strcspn(text, " ");
        const char *next = text + word < end ? text + word : end;
        bool is_first = before == line;
        ok = (is_first || buf_put_char(out, ' ')) &&
             (!strchr(".'", *text) || buf_put_text(out, "\\&")) && put_escaped(out, text, next);
        if (ok && !is_first && out->len - line > LINE_MAX_LEN) {
            out->text[before] = '\n'; /* the blank before this word */
            line = before + 1;
        }
        text = next + strspn(next, " ");
    }
    return ok && buf_put_char(out, '\n');
}

bool roff_text(Buf *out, const char *text)
{
    bool ok = true;
    while (*text && ok) {
        const char *end = sentence_end(text);
        while (end > text && end[-1] == ' ')
            end--;
        ok = put_sentence(out, text, end);
        text = end + strspn(end, " ");
    }
    return ok;
}
