/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/daemon_games.h"

#include "bot/cli/ask_daemon.h"
#include "bot/ops/jsonread.h"

#include <stdlib.h>
#include <string.h>

enum { ASK_MS = 2000 };

static bool has_awake_game(const struct json_object *status)
{
    const struct json_object *games = jsonread_array(status, "games");
    size_t count = games ? json_object_array_length(games) : 0;
    for (size_t i = 0; i < count; i++)
        if (!text_is(jsonread_text(json_object_array_get_idx(games, i), "phase"), "resting"))
            return true;
    return false;
}

bool daemon_games_run(const Config *config)
{
    char *answer;
    Error err = { 0 };
    if (!ask_daemon_quietly(config, "status", ASK_MS, &answer, &err))
        return err.code == ERR_REFUSED;
    struct json_object *status = jsonread_parse(answer, strlen(answer), NULL);
    bool is_awake = has_awake_game(status);
    json_object_put(status);
    free(answer);
    return is_awake;
}
