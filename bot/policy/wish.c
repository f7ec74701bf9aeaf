/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/wish.h"

#include "bot/model/ids.h"
#include "bot/policy/level.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

#include <string.h>

#define NO_EXCEPTION "-"

static int level_of(const char *about)
{
    int64_t level;
    if (strcmp(about, "off") == 0)
        return LEVEL_AS_SET;
    return number_parse(about, strlen(about), ELO_MIN, LEVEL_MAX, &level, NULL) ? (int)level
                                                                                : LEVEL_UNCLEAR;
}

Wish wish_of(WishKind kind, const char *about)
{
    Wish wish = { .kind = kind };
    if (kind == WISH_LEVEL)
        wish.level = level_of(about);
    else if (kind == WISH_ODDS)
        wish.odds = odds_of(text_of(about));
    return wish;
}

bool wish_is_granted(const Wish *wish, const WishFacts *facts)
{
    switch (wish->kind) {
    case WISH_NONE:
        return false;
    case WISH_LEVEL:
        return facts->is_person && wish->level != LEVEL_UNCLEAR;
    case WISH_AGAIN:
        return facts->is_person && facts->can_recur;
    case WISH_ODDS:
        return facts->is_person && facts->can_recur && wish->odds != ODDS_NONE;
    }
    return false;
}

bool wish_is_for_this_game(const Wish *wish, const WishFacts *facts)
{
    return wish_is_granted(wish, facts) && wish->kind == WISH_LEVEL &&
           wish->level != LEVEL_AS_SET && !facts->is_rated && !facts->has_begun;
}

static void answer_level(const Wish *wish, const WishFacts *facts, char out[WISH_ANSWER_SIZE])
{
    if (wish->level == LEVEL_UNCLEAR && facts->level == 0)
        text_format(out, WISH_ANSWER_SIZE,
                    "I play as well as I can. !level 1500 asks for that rating, %d to %d, in "
                    "casual games.",
                    ELO_MIN, LEVEL_MAX);
    else if (wish->level == LEVEL_UNCLEAR)
        text_format(out, WISH_ANSWER_SIZE,
                    "I play at %d. !level 1500 asks for that rating, %d to %d, in casual games.",
                    facts->level, ELO_MIN, LEVEL_MAX);
    else if (wish->level == LEVEL_AS_SET)
        text_format(out, WISH_ANSWER_SIZE, "From our next game on I choose my level again.");
    else if (wish_is_for_this_game(wish, facts))
        text_format(out, WISH_ANSWER_SIZE,
                    "I play at %d, in this game and in our casual games of the next 24 hours.",
                    wish->level);
    else
        text_format(out, WISH_ANSWER_SIZE,
                    "I play at %d in our casual games of the next 24 hours, but not in this game.",
                    wish->level);
}

void wish_answer(const Wish *wish, const WishFacts *facts, char out[WISH_ANSWER_SIZE])
{
    if (!facts->is_person)
        text_format(out, WISH_ANSWER_SIZE, "I do that for people only.");
    else if (wish->kind == WISH_LEVEL)
        answer_level(wish, facts, out);
    else if (wish->kind == WISH_ODDS && wish->odds == ODDS_NONE)
        text_format(out, WISH_ANSWER_SIZE,
                    "!odds queen, rook, knight or pawn: I challenge you to a casual game in which "
                    "I have so much less.");
    else if (!facts->can_recur)
        text_format(out, WISH_ANSWER_SIZE, "Not after this game: please challenge me.");
    else if (wish->kind == WISH_ODDS)
        text_format(out, WISH_ANSWER_SIZE,
                    "When this game is over I challenge you to a casual one without my %s.",
                    odds_names[wish->odds]);
    else
        text_format(out, WISH_ANSWER_SIZE,
                    "When this game is over I challenge you to another one.");
}

void wish_level_write(int level, const char *except, char out[WISH_LEVEL_SIZE])
{
    text_format(out, WISH_LEVEL_SIZE, "%d %s", level, except[0] != '\0' ? except : NO_EXCEPTION);
}

int wish_level_read(Text text, const char *game_id)
{
    int64_t level;
    Text first = text_next_word(&text, " "), except = text_next_word(&text, " ");
    bool ok = text.len == 0 && except.len > 0 && !text_is(except, game_id) &&
              number_parse(first.at, first.len, ELO_MIN, LEVEL_MAX, &level, NULL);
    return ok ? (int)level : 0;
}
