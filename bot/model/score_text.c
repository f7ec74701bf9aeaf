/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/score_text.h"

#include "engine/base/minmax.h"
#include "engine/base/text_format.h"

#include <stdlib.h>

/* The winner's last ply is odd, the loser's even. */
int score_of_mate(int64_t moves)
{
    int number = (int)int64_clamp(moves, -MAX_PLY / 2, MAX_PLY / 2);
    return number > 0 ? SCORE_MATE - (2 * number - 1) : -SCORE_MATE - 2 * number;
}

int score_mate_moves(int score)
{
    if (score == SCORE_NONE || !score_is_mate(score))
        return 0;
    int moves = (SCORE_MATE - abs(score) + 1) / 2;
    return score < 0 ? -moves : moves;
}

const char *score_text(int score, char out[SCORE_TEXT_SIZE])
{
    int size = abs(score);
    if (score == SCORE_NONE)
        out[0] = '\0';
    else if (size == SCORE_MATE)
        text_format(out, SCORE_TEXT_SIZE, "mate");
    else if (score_is_mate(score))
        text_format(out, SCORE_TEXT_SIZE, "#%d", score_mate_moves(score));
    else
        text_format(out, SCORE_TEXT_SIZE, "%c%d.%02d", score < 0 ? '-' : '+', size / 100,
                    size % 100);
    return out;
}
