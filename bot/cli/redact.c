/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/redact.h"

#include "bot/config/token.h"
#include "bot/ops/printable.h"

#include <ctype.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool stands_here(Text rest, const char *secret)
{
    return secret && secret[0] && text_starts_with(rest, secret);
}

/* Not as a part of a longer word: a host may be called "a". */
static bool stands_here_alone(Text rest, const char *word, bool is_within_word)
{
    size_t len = word ? strlen(word) : 0;
    return stands_here(rest, word) && !is_within_word &&
           (rest.len == len || !is_word(rest.at[len]));
}

static void put(FILE *out, const Secrets *secrets, Text text)
{
    static const char token_mark[] = "[token]", home_mark[] = "~", host_mark[] = "[host]";
    bool is_within_word = false;
    while (text.len > 0) {
        const char *mark = NULL;
        size_t len = 0;
        if (stands_here(text, secrets->token))
            mark = token_mark, len = strlen(secrets->token);
        else if (stands_here(text, secrets->home))
            mark = home_mark, len = strlen(secrets->home);
        else if (stands_here_alone(text, secrets->host, is_within_word))
            mark = host_mark, len = strlen(secrets->host);
        if (mark) {
            fputs(mark, out);
            text = (Text){ text.at + len, text.len - len };
            is_within_word = false;
            continue;
        }
        is_within_word = is_word(*text.at);
        PrintableChar c = printable_next(&text);
        fwrite(c.text, 1, c.len, out);
    }
}

/* How much of the line to keep: all, or up to a blank before the longest line, so that the cut
 * leaves no half of a secret. */
static size_t kept_of(Text line)
{
    if (line.len <= REDACT_LINE_MAX)
        return line.len;
    size_t len = REDACT_LINE_MAX;
    while (len > 0 && line.at[len] != ' ')
        len--;
    return len;
}

static void redact_line(FILE *out, const Secrets *secrets, Text line)
{
    char copy[REDACT_LINE_MAX + 1];
    size_t len = kept_of(line);
    for (size_t i = 0; i < len; i++)
        copy[i] = line.at[i] ? line.at[i] : ' '; /* token_mask() would see no further */
    copy[len] = '\0';
    token_mask(copy);
    put(out, secrets, (Text){ copy, len });
    fputc('\n', out);
}

void redact_text(FILE *out, const Secrets *secrets, Text text)
{
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end ? (size_t)(end - text.at) : text.len;
        redact_line(out, secrets, (Text){ text.at, len });
        len += end ? 1 : 0;
        text = (Text){ text.at + len, text.len - len };
    }
}
