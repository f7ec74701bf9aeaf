/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/team_arena.h"

#include "bot/lichess/online_bots.h"

const char *team_arena_unfit(const ListedArena *arena, const Config *config, int64_t unix_now_ms)
{
    Speed speed = speed_of_clock(arena->base_s, arena->increment_s);
    const IntRange *minutes = &config->tournaments.minutes;
    if (arena->is_finished || arena->ends_unix_ms - unix_now_ms < TEAM_ARENA_REST_MS)
        return "it is over, or will be soon";
    if (arena->starts_unix_ms - unix_now_ms > TEAM_ARENA_AHEAD_MS)
        return "it begins later";
    if (!config_set_has(config->tournaments.variants, (int)arena->variant))
        return "its variant";
    if (!config_set_has(config->tournaments.speeds, (int)speed))
        return "its speed";
    if (!config_set_has(config->tournaments.modes, arena->is_rated ? MODE_RATED : MODE_CASUAL))
        return arena->is_rated ? "its games are rated" : "its games are casual";
    if (arena->minutes < minutes->lo || arena->minutes > minutes->hi)
        return "its length";
    return NULL;
}
