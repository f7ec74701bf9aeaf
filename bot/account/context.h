/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - what the parts of the daemon share, and where they report that the account is
 * refused. bot/daemon owns it and alone writes its fields: each pointer when the part is made that
 * it names (bot/daemon/parts.c), our_id when the server has confirmed the account, is_draining and
 * ends_ms at the operator's word. The parts are lent it, read it anew each time and change only
 * what it points to. Loop thread only. */
#pragma once
#include "bot/config/settings.h"
#include "bot/lichess/api.h"
#include "bot/ops/log.h"

#include <uv.h>

/* A file that uses one of these includes its header. */
typedef struct Archive Archive;
typedef struct Counters Counters;
typedef struct PgnFiles PgnFiles;
typedef struct RemoteLists RemoteLists;
typedef struct Slots Slots;
typedef struct Source Source;
typedef struct RecentGames RecentGames;
typedef struct EngineNames EngineNames;

typedef struct {
    uv_loop_t *loop;
    const Config *config; /* a reload changes it, and its lists: keep nothing that it lends */
    Log *log;
    Api *api;
    Source *source;
    Ratelimit *limit;
    Slots *slots;
    RecentGames *recent_games;
    const RemoteLists *lists;
    const EngineNames *engine_names;
    Archive *archive;
    PgnFiles *pgn_files; /* NULL: none are wanted */
    Counters *counters;
    bool is_draining;          /* no more games are to begin */
    int64_t ends_ms;           /* when games are to be over (`run --for`); INT64_MAX: never */
    char our_id[USER_ID_SIZE]; /* "" until the account is known; no event comes before that */

    /* The server does not seem to take our token any more (api_answer_is_denial()). The caller goes
     * on as after a server error: a second look at the account decides. */
    void (*on_denied)(void *user, const ApiAnswer *answer);
    /* A game's stream is there again after a loss. */
    void (*on_reached)(void *user);
    /* A game may have begun of which no event told. */
    void (*on_missed_start)(void *user);
    void *user;
} BotContext;
