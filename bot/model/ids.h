/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ids.h - the names by which Lichess knows games, users and teams. Pure: any thread. */
#pragma once
#include "engine/base/text.h"

enum {
    GAME_ID_SIZE = 16, /* 1..15 of [A-Za-z0-9] and a NUL; today's ids have 8 */
    USER_ID_SIZE = 32, /* 2..30 of [a-z0-9_-] and a NUL */
    TEAM_ID_SIZE = 64, /* 1..63 of [a-z0-9_-] and a NUL */
};

/* True if `id` may stand in a URL as a game's or challenge's id. */
bool game_id_is_valid(Text id);

/* The same for a user's name or id: 2 to 30 letters, digits, '-' and '_'. */
bool user_name_is_valid(Text name);
/* Turns a user's name into the id: the same in small letters. */
void user_id_from_name(char *name);

bool team_id_is_valid(Text id); /* 1 to 63 of them */
