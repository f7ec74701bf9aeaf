/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.h - a game's conversation with an external engine, as lines of a file.
 *
 *     1.204518 > position startpos moves e2e4 e7e5
 *     1.204518 > isready
 *     1.204771 < readyok
 *     1.204790 # fault 31 killed by SIGSEGV
 *
 * Seconds since the file's last "# game" line, who speaks, and what. A file has been on a disk, and
 * holds what a foreign engine wrote: reading takes any bytes. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <stdint.h>

typedef enum {
    TRANSCRIPT_TOLD = '>',  /* to the engine */
    TRANSCRIPT_HEARD = '<', /* from its standard output, */
    TRANSCRIPT_ERROR = '!', /* and its standard error */
    TRANSCRIPT_NOTE = '#',  /* ours, see below */
} TranscriptKind;

#define TRANSCRIPT_FOLDER "transcripts" /* beside the archive */

/* The first words of notes. What follows is the rest of the line. */
#define TRANSCRIPT_GAME "game"     /* a game's id: the head of a file, or of what a restart adds */
#define TRANSCRIPT_ENGINE "engine" /* its section's name */
#define TRANSCRIPT_VARIANT "variant" /* as the server calls it */
#define TRANSCRIPT_DATE "date"       /* in UTC */
#define TRANSCRIPT_START "start"     /* a process begins, or is taken over from another game … */
#define TRANSCRIPT_EARLIER "searches before: " /* … in which it had this many, then a number */
#define TRANSCRIPT_PROGRAM "program"           /* the engine's name for itself */
#define TRANSCRIPT_FAULT "fault"               /* a ply and why */
#define TRANSCRIPT_LEFT_OUT "left out"         /* lines that were thinned or did not fit */
#define TRANSCRIPT_END "end"                   /* the game was over, or castled ended */

enum {
    TRANSCRIPT_HEARD_MAX = 1000, /* bytes kept of a line that we did not write */
    TRANSCRIPT_LINE_MAX = 17000, /* a whole line; what may be told is shorter */
};

typedef struct {
    int64_t at_us; /* since the head */
    TranscriptKind kind;
    Text text; /* lent */
} TranscriptLine;

/* Appends it; bytes that are not printable ASCII become '?'. False without memory or room. */
bool transcript_write(Buf *out, const TranscriptLine *line) MUST_CHECK;

/* One line without its newline. False: it is none of a transcript. */
bool transcript_read(TranscriptLine *out, Text line) MUST_CHECK;

/* If it is a note that begins with this word: what follows. */
bool transcript_is_note(const TranscriptLine *line, const char *word, Text *rest);

/* What a "position" asks about. */
typedef struct {
    Text fen;   /* empty: the usual start */
    Text moves; /* in UCI */
    int ply;    /* of the move that is looked for; 1: the game's first */
} TranscriptPosition;

/* "position …" as it was told. */
bool transcript_read_position(TranscriptPosition *out, Text told) MUST_CHECK;
