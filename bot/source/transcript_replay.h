/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript_replay.h - says to an engine what a transcript says, at the same pace, and looks
 * whether it fails.
 *
 * Each order waits for what it waited for in the game: uciok, readyok, a best move. "stop" and
 * "ponderhit" come as long after "go" as they did. Where castled had lost patience in the game, the
 * engine gets as long. Blocks; for commands. */
#pragma once
#include "bot/child/child_command.h"
#include "bot/child/child_secrets.h"
#include "engine/base/text.h"

typedef enum {
    REPLAY_FINE,     /* no fault was found; the engine answered all that it was asked */
    REPLAY_CRASHED,  /* it ended, or wrote without end */
    REPLAY_SILENT,   /* no answer in time */
    REPLAY_ILLEGAL,  /* a move that is none of the position */
    REPLAY_OTHER,    /* another move than in the game; only where that is looked for */
    REPLAY_UNUSABLE, /* it never came up, or the transcript has nothing to ask */
} ReplayVerdict;

typedef struct {
    Text transcript;
    int ply;         /* only what was asked for this move; 0: all of the game */
    bool wants_same; /* another move than in the game ends it, with REPLAY_OTHER */
    const ChildCommand *command;
    const ChildSecrets *secrets; /* NULL: it runs unconfined */
} ReplayOrder;

enum { REPLAY_WORDS_SIZE = 300 };

typedef struct {
    ReplayVerdict verdict;
    int ply;       /* that the verdict is about; 0: before the first move */
    int searches;  /* that were answered */
    int others;    /* of these with another move than in the game, */
    int other_ply; /* and where that was first */
    int earlier;   /* searches of other games that the game's process had behind it */
    char words[REPLAY_WORDS_SIZE]; /* what happened, for people; may hold what the engine wrote */
    char recorded[REPLAY_WORDS_SIZE]; /* the first fault of the transcript; "": it has none */
} ReplayResult;

/* False and an Error without memory or a loop. */
bool transcript_replay(const ReplayOrder *order, ReplayResult *out, Error *err) MUST_CHECK;
