/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tokens.h - a line of UCI text, word by word. Tokens lie in the caller's line, not NUL-terminated;
 * blanks are spaces, tabs and a trailing carriage return. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text;
    size_t len; /* 0: there was no further word */
} Token;

typedef struct {
    const char *at, *end;
} Tokens;

static inline Tokens tokens_of(const char *line, size_t len)
{
    return (Tokens){ .at = line, .end = line + len };
}

/* Takes the next word. */
Token tokens_next(Tokens *tokens);

/* The next word, without taking it. */
Token tokens_peek(const Tokens *tokens);

/* All that is left, without blanks at its ends. */
Token tokens_rest(const Tokens *tokens);

bool token_is(Token word, const char *text);

/* Option names are compared without regard to case. */
bool token_is_nocase(Token word, const char *text);

/* For "%.*s" in messages: no message needs more of a word than this shows. */
static inline int token_shown(Token word)
{
    enum { SHOWN_MAX = 80 };
    return word.len < SHOWN_MAX ? (int)word.len : SHOWN_MAX;
}
