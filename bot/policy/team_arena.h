/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team_arena.h - which arenas of a team the account joins by itself: those that the operator's
 * rules admit ([tournaments] speeds, variants, modes, minutes), and that run soon or now. Pure: the
 * time (Unix) comes in. */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/arena_info.h"

enum {
    TEAM_ARENA_AHEAD_MS = 30 * 60000, /* before the start it is not joined yet */
    TEAM_ARENA_REST_MS = 5 * 60000,   /* with less time left it is not joined any more */
};

/* NULL: it suits; else why not, in words. */
const char *team_arena_unfit(const ListedArena *arena, const Config *config, int64_t unix_now_ms);
