/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena_info.h - what GET /api/tournament/{id} and the list GET /api/team/{id}/arena say of an
 * arena, as plain values. Read tolerantly, like event.h. */
#pragma once
#include "bot/lichess/event.h"

enum { ARENA_NAME_SIZE = 100 };

typedef enum { BOTS_NOT_STATED, BOTS_REFUSED, BOTS_ADMITTED } BotsAdmitted;

typedef struct {
    char name[ARENA_NAME_SIZE]; /* cut when longer */
    BotsAdmitted bots;
    bool is_finished;
    int64_t seconds_to_start;  /* 0: it has begun */
    int64_t seconds_to_finish; /* -1: missing, before its start */
    int minutes;               /* of its length; 0: unknown */
    bool has_us;               /* we are, or were, a player; sent to players only */
    bool has_withdrawn;        /* and are none any more: by our wish, or by the server's */
} ArenaInfo;

/* False and an Error when the body is no JSON object. */
bool arena_info_parse(ArenaInfo *out, const char *body, size_t len, Error *err) MUST_CHECK;

/* A line of the list. It does not say whether bots are admitted. */
typedef struct {
    char id[GAME_ID_SIZE];
    int64_t starts_unix_ms, ends_unix_ms;
    int minutes;
    int64_t base_s, increment_s;
    Variant variant;
    bool is_rated, is_finished;
} ListedArena;

/* False and an Error when the line is no arena with an id, times and a clock. */
bool listed_arena_parse(ListedArena *out, const char *line, size_t len, Error *err) MUST_CHECK;
