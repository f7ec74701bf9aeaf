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

/* Both ways to write a castling with a king on e1 or e8; the rank is the king's. */
static const struct {
    char king_target, rook;
} wings[] = { { 'g', 'h' }, { 'c', 'a' } };

/* The wing of a king's move from its home that can be castling, or -1. */
static int wing_of(Text word)
{
    if (word.len != 4 || word.at[0] != 'e' || (word.at[1] != '1' && word.at[1] != '8') ||
        word.at[3] != word.at[1])
        return -1;
    for (int i = 0; i < 2; i++) {
        if (word.at[2] == wings[i].king_target || word.at[2] == wings[i].rook)
            return i;
    }
    return -1;
}

bool uci_text_is_same(Text a, Text b)
{
    if (text_equals(a, b))
        return true;
    int wing = wing_of(a);
    return wing >= 0 && wing == wing_of(b) && a.at[1] == b.at[1];
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

static bool names_square(Text word, const char *square)
{
    return memcmp(word.at, square, SQUARE_TEXT) == 0 ||
           memcmp(word.at + SQUARE_TEXT, square, SQUARE_TEXT) == 0;
}

bool uci_text_write_moves(Text moves, CastlingNotation notation, Buf *out)
{
    static const char *const homes[COLOUR_COUNT] = { "e1", "e8" };
    bool was_left[COLOUR_COUNT] = { false, false };
    for (Text word = uci_text_next(&moves); word.len > 0; word = uci_text_next(&moves)) {
        if (!uci_text_is_move(word))
            return false;
        char move[UCI_MOVE_SIZE] = { 0 };
        memcpy(move, word.at, word.len);
        int wing = wing_of(word);
        if (wing >= 0 && !was_left[word.at[1] == '1' ? WHITE : BLACK])
            move[2] =
                notation == CASTLING_KING_TAKES_ROOK ? wings[wing].rook : wings[wing].king_target;
        for (int colour = WHITE; colour <= BLACK; colour++)
            was_left[colour] = was_left[colour] || names_square(word, homes[colour]);
        if (!buf_printf(out, " %s", move))
            return false;
    }
    return true;
}
