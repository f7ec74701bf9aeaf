/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/tokens.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

Token tokens_next(Tokens *tokens)
{
    while (tokens->at < tokens->end && is_blank(*tokens->at))
        tokens->at++;
    Token word = { .text = tokens->at };
    while (tokens->at < tokens->end && !is_blank(*tokens->at))
        tokens->at++;
    word.len = (size_t)(tokens->at - word.text);
    return word;
}

Token tokens_peek(const Tokens *tokens)
{
    Tokens copy = *tokens;
    return tokens_next(&copy);
}

Token tokens_rest(const Tokens *tokens)
{
    const char *end = tokens->end;
    Token rest = tokens_peek(tokens);
    while (end > rest.text && is_blank(end[-1]))
        end--;
    rest.len = (size_t)(end - rest.text);
    return rest;
}

bool token_is(Token word, const char *text)
{
    return strlen(text) == word.len && memcmp(word.text, text, word.len) == 0;
}

bool token_is_nocase(Token word, const char *text)
{
    return strlen(text) == word.len && strncasecmp(word.text, text, word.len) == 0;
}
