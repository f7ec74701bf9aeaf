/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a view of bytes with another owner: pointer and length, no NUL promised. {0} is the
 * empty text. The function that returns a view says how long it is valid. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    const char *at; /* may be NULL when len is 0 */
    size_t len;     /* bytes */
} Text;

/* For printf's "%.*s". */
#define TEXT_ARGS(text) (int)(text).len, ((text).at ? (text).at : "")

/* The bytes of a C string; NULL is the empty text. */
static inline Text text_of(const char *string)
{
    return (Text){ string, string ? strlen(string) : 0 };
}

static inline bool text_is(Text text, const char *string)
{
    size_t len = strlen(string);
    return text.len == len && (len == 0 || memcmp(text.at, string, len) == 0);
}

static inline bool text_equals(Text a, Text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool text_starts_with(Text text, const char *prefix)
{
    size_t len = strlen(prefix);
    return text.len >= len && (len == 0 || memcmp(text.at, prefix, len) == 0);
}

/* Copies it with a NUL behind. False, and "" in `out`, when that takes more than `size` bytes: half
 * a name would be another one. */
static inline bool text_copy(char *out, size_t size, Text text)
{
    size_t len = text.len < size ? text.len : 0;
    if (len > 0)
        memcpy(out, text.at, len);
    out[len] = '\0';
    return len == text.len;
}

/* Without the bytes of `blanks`, and NULs, at either end. */
static inline Text text_trimmed(Text text, const char *blanks)
{
    while (text.len > 0 && strchr(blanks, text.at[0])) {
        text.at++;
        text.len--;
    }
    while (text.len > 0 && strchr(blanks, text.at[text.len - 1]))
        text.len--;
    return text;
}

static inline bool text_has_byte(const char *string, char byte)
{
    while (*string && *string != byte)
        string++;
    return *string != '\0';
}

/* Cuts the next word off `rest`: what lies between bytes of `blanks`. Empty at the end. */
static inline Text text_next_word(Text *rest, const char *blanks)
{
    size_t begin = 0;
    while (begin < rest->len && text_has_byte(blanks, rest->at[begin]))
        begin++;
    size_t end = begin;
    while (end < rest->len && !text_has_byte(blanks, rest->at[end]))
        end++;
    if (end == 0)
        return *rest;
    Text word = { rest->at + begin, end - begin };
    *rest = (Text){ rest->at + end, rest->len - end };
    return word;
}
