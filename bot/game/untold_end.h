/* SPDX-License-Identifier: GPL-3.0-or-later */
/* untold_end.h - how a game ended whose server says only that it is over, as PyChess does. Pure. */
#pragma once
#include "bot/model/words.h"
#include "engine/core/position.h"

typedef struct {
    const Position *last; /* as far as it is known; a move of the opponent's may be missing */
    uint32_t ply;         /* moves made until then */
    Colour us;
    bool hides_all; /* the server, also that somebody resigned, left or lost on time */
    bool may_be_out_of_time[COLOUR_COUNT];
} UntoldEnd;

/* Without an answer `status` is STATUS_UNKNOWN_FINISH and `winner` COLOUR_NONE. With `hides_all` we
 * have won where the opponent must have lost: the board shows no end, our time did not run out, and
 * no legal move of theirs would have ended it otherwise. */
void untold_end_judge(const UntoldEnd *end, GameStatus *status, Colour *winner);
