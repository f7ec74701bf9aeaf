/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thought.h - a move that was found, and what there is to say about it. A plain value. */
#pragma once
#include "engine/core/move.h"

typedef struct {
    uint32_t version; /* of the move list it was found for, as ordered */
    Move move;        /* MOVE_NONE: nothing was found */
    Move reply;       /* the answer expected, or MOVE_NONE */
    int score;        /* for the mover, as in engine/search/engine.h */
    int depth;        /* plies; 0: none was finished, and the score means nothing */
    uint64_t nodes;
    int64_t time_ms;
    const char *source; /* the name of who found it, as long as that source lives; NULL: nobody */
} Thought;
