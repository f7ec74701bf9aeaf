/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/recent_games.h"

#include <string.h>

void recent_games_init(RecentGames *recent_games)
{
    memset(recent_games, 0, sizeof *recent_games);
}

void recent_games_note(RecentGames *recent_games, Text id, int64_t now_ms)
{
    if (id.len == 0 || id.len >= USER_ID_SIZE)
        return;
    RecentGame *visit = &recent_games->recent_games[recent_games->next];
    *visit = (RecentGame){ .at_ms = now_ms };
    text_copy(visit->id, sizeof visit->id, id);
    recent_games->next = (recent_games->next + 1) % RECENT_GAMES_MAX;
    if (recent_games->count < RECENT_GAMES_MAX)
        recent_games->count++;
}

int recent_games_count(const RecentGames *recent_games, Text id, int64_t window_ms, int64_t now_ms)
{
    int count = 0;
    for (int i = 0; i < recent_games->count; i++) {
        const RecentGame *visit = &recent_games->recent_games[i];
        count += now_ms - visit->at_ms < window_ms && text_is(id, visit->id);
    }
    return count;
}
