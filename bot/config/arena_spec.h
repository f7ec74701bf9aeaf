/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena_spec.h - an arena tournament to play in: "ID-or-address [password=WORD] [team=ID]".
 * Plain values. */
#pragma once
#include "bot/model/ids.h"
#include "bot/config/value_list.h"

enum { ARENA_SPECS_MAX = 16, ARENA_WORD_SIZE = 64 };

typedef struct {
    char id[GAME_ID_SIZE];
    char password[ARENA_WORD_SIZE]; /* "": none; never shown */
    char team[ARENA_WORD_SIZE];     /* "": none */
} ArenaSpec;

typedef struct {
    int count;
    ArenaSpec at[ARENA_SPECS_MAX];
} ArenaSpecList;

/* Reads words that blanks stand between. False and an Error that names the word, but no password.
 */
bool arena_spec_read(ArenaSpec *out, const char *words, Error *err) MUST_CHECK;

/* Such words, in place of an earlier spec of the same tournament. Written without passwords, for a
 * reader, not to be read again. */
extern const ListKind arena_specs_kind;

/* NULL: it is not in the list. */
const ArenaSpec *arena_specs_find(const ArenaSpecList *list, const char *id);
