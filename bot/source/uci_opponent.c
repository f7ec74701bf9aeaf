/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_opponent.h"

#include "engine/base/text_format.h"

enum { TITLE_MAX = 8, NAME_MAX = 30 /* Lichess's longest */ };

static const char *one_word(const char *text, size_t most, const char *instead)
{
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~')
            return instead;
    return text[0] == '\0' || strlen(text) > most ? instead : text;
}

void uci_opponent_write(const Player *opponent, char out[UCI_OPPONENT_SIZE])
{
    char rating[12] = "none";
    /* "BOT" is Lichess's, and said by the kind. */
    const char *title = player_is_bot_account(opponent) ? "" : opponent->title;
    if (opponent->rating > 0)
        text_format(rating, sizeof rating, "%d", opponent->rating);
    text_format(out, UCI_OPPONENT_SIZE, "%s %s %s %s", one_word(title, TITLE_MAX, "none"), rating,
                player_is_engine(opponent) ? "computer" : "human",
                one_word(opponent->name, NAME_MAX, "anonymous"));
}
