/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_text.h"

enum { SQUARE_TEXT = 2 }; /* "e4" */

static bool is_square(const char *at)
{
    return at[0] >= 'a' && at[0] <= 'h' && at[1] >= '1' && at[1] <= '8';
}

static bool is_one_of(char c, const char *letters)
{
    return c != '\0' && strchr(letters, c);
}

static bool is_drop(Text word)
{
    return word.len == 4 && is_one_of(word.at[0], "PNBRQ") && word.at[1] == '@' &&
           is_square(word.at + 2);
}

bool uci_text_is_move(Text word)
{
    if (is_drop(word))
        return true;
    if (word.len < 4 || word.len > 5 || !is_square(word.at) || !is_square(word.at + SQUARE_TEXT))
        return false;
    return word.len == 4 || is_one_of(word.at[4], "nbrqk");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

Text uci_text_next(Text *rest)
{
    while (rest->len > 0 && is_blank(rest->at[0])) {
        rest->at++;
        rest->len--;
    }
    Text word = { rest->at, 0 };
    while (word.len < rest->len && !is_blank(rest->at[word.len]))
        word.len++;
    rest->at += word.len;
    rest->len -= word.len;
    return word;
}
