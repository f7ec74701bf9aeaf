/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tournaments in the server's words and in the operator's. */
#include "bot/config/team_list.h"
#include "bot/config/arena_spec.h"
#include "bot/lichess/arena_info.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ArenaInfo info;
    ArenaSpec spec;
    ListedArena listed;
    TeamList teams = { 0 };
    if (arena_info_parse(&info, (const char *)data, size, NULL)) {
        must(memchr(info.name, '\0', sizeof info.name) != NULL);
        must(info.seconds_to_start >= 0 && info.seconds_to_finish >= -1);
        must(info.has_us || !info.has_withdrawn);
    }
    if (listed_arena_parse(&listed, (const char *)data, size, NULL)) {
        must(game_id_is_valid(text_of(listed.id)));
        must(listed.starts_unix_ms > 0 && listed.ends_unix_ms > listed.starts_unix_ms);
        must(listed.minutes >= 0 && listed.base_s >= 0 && listed.increment_s >= 0);
    }
    char *words = malloc(size + 1);
    must(words != NULL);
    if (size > 0)
        memcpy(words, data, size);
    words[size] = '\0';
    if (arena_spec_read(&spec, words, NULL)) {
        must(game_id_is_valid(text_of(spec.id)));
        must(memchr(spec.password, '\0', sizeof spec.password) != NULL);
        must(memchr(spec.team, '\0', sizeof spec.team) != NULL);
    }
    if (value_list_read(&team_list_kind, &teams, words, NULL)) {
        must(teams.count <= TEAMS_MAX);
        for (int i = 0; i < teams.count; i++)
            must(team_id_is_valid(text_of(teams.at[i])));
    }
    free(words);
    return 0;
}
