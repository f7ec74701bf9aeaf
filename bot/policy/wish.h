/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wish.h - what an opponent may wish for in the chat: a level, another game, a game at odds. Pure.
 *
 * A level holds in casual games with that opponent for a day. A game is asked for when the one that
 * is on has ended (bot/game/after_game.h). */
#pragma once
#include "bot/model/odds.h"

typedef enum { WISH_NONE, WISH_LEVEL, WISH_AGAIN, WISH_ODDS } WishKind;

/* "off" is LEVEL_AS_SET. */
enum { LEVEL_UNCLEAR = -1, LEVEL_AS_SET = 0 };

typedef struct {
    WishKind kind;
    int level; /* WISH_LEVEL: a rating to play at, LEVEL_AS_SET or LEVEL_UNCLEAR */
    Odds odds; /* WISH_ODDS; ODDS_NONE: unclear */
} Wish;

/* `about`: the word after the command, in small letters; "": none. */
Wish wish_of(WishKind kind, const char *about);

/* The game that it is made in. */
typedef struct {
    bool is_person; /* who wishes */
    bool is_rated;
    bool has_begun; /* both have moved: its level stays */
    bool can_recur; /* another one like it can be asked for */
    int level;      /* that we play at; 0: full strength */
} WishFacts;

/* Will there be a challenge, or another level, and is it this game's already? */
bool wish_is_granted(const Wish *wish, const WishFacts *facts);
bool wish_is_for_this_game(const Wish *wish, const WishFacts *facts);

enum { WISH_ANSWER_SIZE = 140 };

/* What to say to it while the game is on. */
void wish_answer(const Wish *wish, const WishFacts *facts, char out[WISH_ANSWER_SIZE]);

enum { WISH_LEVEL_SIZE = 32 };

/* The level as a fact; `except` is a game's id that keeps its own, or "". */
void wish_level_write(int level, const char *except, char out[WISH_LEVEL_SIZE]);

/* The level for a game; 0: nothing holds, or the text is none. */
int wish_level_read(Text text, const char *game_id);
