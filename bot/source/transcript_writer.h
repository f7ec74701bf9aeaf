/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript_writer.h - keeps a game's transcript (transcript.h) in a folder.
 *
 * A line costs the loop a copy in memory; jobs on libuv's pool write (I3). A game takes at most
 * TRANSCRIPT_BYTES_MAX: its head in GAME.ENGINE.uci, and beside it its tail in files that end in
 * ".tail" and ".tail.old". Of a search's chatter the first lines stay, then one at times, and the
 * last one. A restarted daemon appends. Files are their owner's alone, and go after some days.
 * Loop thread only. */
#pragma once
#include "bot/ops/log.h"
#include "bot/source/transcript.h"

#include <uv.h>

typedef struct TranscriptWriter TranscriptWriter;

enum {
    TRANSCRIPT_HEAD_MAX = 512 * 1024, /* bytes of each file */
    TRANSCRIPT_TAIL_MAX = 256 * 1024,
    TRANSCRIPT_BYTES_MAX = TRANSCRIPT_HEAD_MAX + 2 * TRANSCRIPT_TAIL_MAX,
    TRANSCRIPT_RECENT_LINES = 20,
    TRANSCRIPT_RECENT_SIZE = 200, /* of one of them, which is cut */
};

#define TRANSCRIPT_SUFFIX ".uci"
#define TRANSCRIPT_TAIL ".tail"
#define TRANSCRIPT_OLD ".old"

/* What it is of; all is copied but the log, which is lent. */
typedef struct {
    const char *folder; /* "": nothing is written, and only the latest lines are remembered */
    const char *game, *engine, *variant;
    int days; /* after which files are removed, as this game begins */
    Log *log;
} TranscriptGame;

/* Begins with its head. False and an Error without memory. */
bool transcript_writer_new(TranscriptWriter **out, uv_loop_t *loop, const TranscriptGame *game,
                           Error *err) MUST_CHECK;

/* `text` may hold several lines. */
void transcript_writer_put(TranscriptWriter *writer, TranscriptKind kind, Text text);

/* A note of two parts with a blank between. */
void transcript_writer_note(TranscriptWriter *writer, const char *word, const char *rest);

/* The latest lines heard from the engine (TRANSCRIPT_HEARD or TRANSCRIPT_ERROR), the oldest
 * first; returns how many there are. Lent until the next one is put. */
int transcript_writer_recent(const TranscriptWriter *writer, TranscriptKind kind,
                             const char *out[TRANSCRIPT_RECENT_LINES]);

/* Writes what is left; the memory goes when that is done. NULL is fine. */
void transcript_writer_close(TranscriptWriter *writer);

/* The files of a game, of all engines or one, are called TRANSCRIPT_name…: the path of the head
 * without its suffixes. False where it is too long. */
bool transcript_path(char *out, size_t size, const char *folder, const char *game,
                     const char *engine) MUST_CHECK;
