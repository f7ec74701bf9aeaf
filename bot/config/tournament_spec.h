/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tournament_spec.h - an arena tournament to play in: "ID-or-address [password=WORD] [team=ID]".
 * Plain values. */
#pragma once
#include "bot/model/ids.h"
#include "bot/config/value_list.h"

enum { TOURNAMENT_SPECS_MAX = 16, TOURNAMENT_WORD_SIZE = 64 };

typedef struct {
    char id[GAME_ID_SIZE];
    char password[TOURNAMENT_WORD_SIZE]; /* "": none; never shown */
    char team[TOURNAMENT_WORD_SIZE];     /* "": none */
} TournamentSpec;

typedef struct {
    int count;
    TournamentSpec at[TOURNAMENT_SPECS_MAX];
} TournamentSpecList;

/* Reads words that blanks stand between. False and an Error that names the word, but no password.
 */
bool tournament_spec_read(TournamentSpec *out, const char *words, Error *err) MUST_CHECK;

/* Such words, in place of an earlier spec of the same tournament. Written without passwords, for a
 * reader, not to be read again. */
extern const ListKind tournament_specs_kind;

/* NULL: it is not in the list. */
const TournamentSpec *tournament_specs_find(const TournamentSpecList *list, const char *id);
