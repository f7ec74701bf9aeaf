/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_choice.h - a move that was found, and what there is to say about it. A plain value. */
#pragma once
#include "engine/core/uci_move.h"
#include "engine/human/policy_network.h"
#include "engine/tablebase/tablebase.h"

enum { MOVE_CHOICE_PV = 12 };

typedef struct {
    uint32_t version;        /* of the move list it was found for, as in the request */
    Move move;               /* MOVE_NONE: nothing was found */
    Move reply;              /* the answer expected, or MOVE_NONE */
    int score;               /* for the mover, as in engine/search/engine.h */
    int draw_score;          /* what a draw is worth by that measure: less than 0 by contempt */
    int depth;               /* plies; 0: none was finished, and the score means nothing */
    int pv_length;           /* 0: unknown */
    Move pv[MOVE_CHOICE_PV]; /* the beginning of the principal variation, `move` first */
    TablebaseVerdict tablebase_verdict; /* on the move */
    uint64_t nodes;
    int64_t time_ms;            /* of the search, and a human's pace on top */
    HumanOpinion human;         /* people's, by a network of their moves; all 0: none was asked */
    bool is_book;               /* from an opening book: no search was made */
    const MoveList *candidates; /* these are as good, and an engine may choose: lent for the call */
    const char *engine; /* an external one's identity, see external_version.h: lent for the call;
                           NULL: none */
    const char
        *source; /* the name of the source that found it, valid as long as that; NULL: none */
} MoveChoice;

static inline bool move_choice_has_move(const MoveChoice *choice)
{
    return choice->move != MOVE_NONE;
}
