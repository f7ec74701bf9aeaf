/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_list.h - teams of the server, by their ids. A plain value. */
#pragma once
#include "bot/model/ids.h"
#include "bot/config/value_list.h"

enum { TEAMS_MAX = 8 };

typedef struct {
    int count;
    char at[TEAMS_MAX][TEAM_ID_SIZE];
} TeamList;

/* "ID, ID", each once; an id's address (https://lichess.org/team/ID) does too. */
extern const ListKind team_list_kind;

/* The same teams in the same order? */
bool team_list_is_same(const TeamList *a, const TeamList *b);

bool team_list_has(const TeamList *list, const char *id);
