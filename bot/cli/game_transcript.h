/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_transcript.h - for commands: what was said to external engines in a game, found on disk. */
#pragma once
#include "bot/config/config.h"
#include "bot/source/transcript_writer.h"

#include <limits.h>

enum { GAME_TRANSCRIPTS_MAX = 16 };

typedef struct {
    char heads[GAME_TRANSCRIPTS_MAX][PATH_MAX]; /* a file for each engine, by name */
    size_t count;
} GameTranscripts;

/* Those of the game, where the daemon keeps them. Takes its owner's rights until
 * owner_rights_drop(). False and an Error where there are none, or they can't be read. */
bool game_transcripts_find(GameTranscripts *out, const Config *config, const char *game,
                           Error *err) MUST_CHECK;

/* Head and tail of one of them, appended to `out`. False and an Error. */
bool game_transcript_read(const char *head, Buf *out, Error *err) MUST_CHECK;

/* Enough for one. */
enum { GAME_TRANSCRIPT_MAX = 2 * TRANSCRIPT_BYTES_MAX };
