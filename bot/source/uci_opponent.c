/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_opponent.h"

#include "engine/base/text_format.h"

enum { TITLE_MAX = 8, NAME_MAX = 30 /* Lichess's longest */ };

static Text one_word(Text text, size_t most, const char *instead)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] <= ' ' || text.at[i] > '~')
            return text_of(instead);
    return text.len == 0 || text.len > most ? text_of(instead) : text;
}

void uci_opponent_write(const UciOpponent *opponent, char out[UCI_OPPONENT_SIZE])
{
    char rating[12] = "none";
    /* "BOT" is Lichess's, and said by the kind. */
    Text title = text_is(opponent->title, "BOT") ? (Text){ 0 } : opponent->title;
    title = one_word(title, TITLE_MAX, "none");
    Text name = one_word(opponent->name, NAME_MAX, "anonymous");
    if (opponent->rating > 0)
        text_format(rating, sizeof rating, "%d", opponent->rating);
    text_format(out, UCI_OPPONENT_SIZE, "%.*s %s %s %.*s", TEXT_ARGS(title), rating,
                opponent->is_bot ? "computer" : "human", TEXT_ARGS(name));
}
