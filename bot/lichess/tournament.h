/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tournament.h - what GET /api/tournament/{id} tells of an arena, as a plain value. Read
 * tolerantly, like event.h. */
#pragma once
#include "engine/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOURNAMENT_NAME_SIZE = 100 };

typedef enum { BOTS_NOT_TOLD, BOTS_REFUSED, BOTS_ADMITTED } BotsAdmitted;

typedef struct {
    char name[TOURNAMENT_NAME_SIZE]; /* cut when longer */
    BotsAdmitted bots;
    bool is_finished;
    int64_t seconds_to_start;  /* 0: it has begun */
    int64_t seconds_to_finish; /* -1: not told */
    bool has_us;               /* we are, or were, a player; only told to those who are */
    bool has_withdrawn;        /* and are none any more: by our wish, or by the server's */
} TournamentInfo;

/* False and an Error when the body is no JSON object. */
bool tournament_parse(TournamentInfo *out, const char *body, size_t len, Error *err) MUST_CHECK;
