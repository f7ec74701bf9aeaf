/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recent_games.h - who began a game with us, and when, so that games against one player can be
 * limited. Remembers the latest RECENT_GAMES_MAX games of the last day. Pure: time comes in,
 * milliseconds; an older game may be noted after a newer one. */
#pragma once
#include "bot/model/ids.h"

#include <stdint.h>

enum { RECENT_GAMES_MAX = 2048 };

typedef struct {
    char id[USER_ID_SIZE]; /* user id, lower case */
    int64_t at_ms;
} RecentGame;

typedef struct RecentGames {
    RecentGame recent_games[RECENT_GAMES_MAX]; /* a ring */
    int next, count;
} RecentGames;

void recent_games_init(RecentGames *recent_games);

/* A game with `id` has begun. An empty or overlong id is not remembered. */
void recent_games_note(RecentGames *recent_games, Text id, int64_t now_ms);

/* How many games with `id` began within the last `window_ms`. */
int recent_games_count(const RecentGames *recent_games, Text id, int64_t window_ms, int64_t now_ms);
