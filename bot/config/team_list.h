/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_list.h - teams of the server, by their ids. A plain value. */
#pragma once
#include "bot/model/ids.h"
#include "engine/base/buf.h"

enum { TEAMS_MAX = 8 };

typedef struct {
    int count;
    char ids[TEAMS_MAX][TEAM_ID_SIZE];
} TeamList;

/* Adds those of "ID, ID"; an id's address (https://lichess.org/team/ID) does too. False, an Error
 * and the list untouched when one is none. */
bool team_list_read(TeamList *list, const char *value, Error *err) MUST_CHECK;
bool team_list_write(const TeamList *list, Buf *out) MUST_CHECK;

/* The same teams in the same order? */
bool team_list_is_same(const TeamList *a, const TeamList *b);

bool team_list_has(const TeamList *list, const char *id);
