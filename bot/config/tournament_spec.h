/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tournament_spec.h - an arena tournament that the operator wants us to play in: "ID-or-address
 * [password=WORD] [team=ID]". Plain values. */
#pragma once
#include "bot/lichess/event.h"
#include "engine/base/buf.h"

enum { ARENA_WISHES_MAX = 16, ARENA_WORD_SIZE = 64 };

typedef struct {
    char id[GAME_ID_SIZE];
    char password[ARENA_WORD_SIZE]; /* "": none; never shown */
    char team[ARENA_WORD_SIZE];     /* "": none */
} ArenaWish;

typedef struct {
    int count;
    ArenaWish at[ARENA_WISHES_MAX];
} ArenaWishList;

/* Reads words that blanks stand between. False and an Error that names the word, but no password.
 */
bool arena_wish_read(ArenaWish *out, const char *words, Error *err) MUST_CHECK;

/* Adds one, in place of an earlier one of the same tournament; nothing for "". */
bool arena_wishes_read(ArenaWishList *list, const char *value, Error *err) MUST_CHECK;

/* Without passwords: for a reader, not to be read again. */
bool arena_wishes_write(const ArenaWishList *list, Buf *out) MUST_CHECK;

/* NULL: it is not wished for. */
const ArenaWish *arena_wishes_find(const ArenaWishList *list, const char *id);
