/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/turning_points.h"

#include "bot/review/analysis.h"
#include "bot/model/score_text.h"
#include "engine/base/text_format.h"

#include <stdlib.h>

/* Between two evaluations of ours lie our move and the reply. The position after our move is given
 * the earlier one where things got better for us, so that the reply is to blame, else the later. */
static int fill_in(const GameRecord *record, PositionEval *evals)
{
    int known = 0;
    for (size_t i = 0; i <= record->count; i++)
        known += evals[i].score != SCORE_NONE;
    for (size_t i = 0; i + 2 <= record->count; i++) {
        int before = evals[i].score, after = evals[i + 2].score;
        int sign = record->us == WHITE ? 1 : -1;
        if (evals[i + 1].score != SCORE_NONE || before == SCORE_NONE || after == SCORE_NONE)
            continue;
        evals[i + 1].score = sign * after > sign * before ? before : after;
        i++;
    }
    return known;
}

static int say_text(char out[TURNING_POINT_SIZE], const char *text)
{
    text_format(out, TURNING_POINT_SIZE, "%s", text);
    return 1;
}

static void write_loss(const GameRecord *record, const MoveLoss *loss, char out[TURNING_POINT_SIZE])
{
    char title[MOVE_TITLE_SIZE], best[SAN_SIZE], before[SCORE_TEXT_SIZE], after[SCORE_TEXT_SIZE];
    int sign = record->us == WHITE ? 1 : -1;
    (void)move_titles_write(record, loss->index, "", title, best);
    score_text(sign * loss->before, before);
    score_text(sign * loss->after, after);
    text_format(out, TURNING_POINT_SIZE, "%s%s (%s): from %s to %s for me", title,
                judgement_mark(loss->judgement), loss->mover == record->us ? "mine" : "yours",
                before, after);
}

int turning_points_write(const GameRecord *record, char out[TURNING_POINTS_MAX][TURNING_POINT_SIZE])
{
    MoveLoss losses[TURNING_POINTS_MAX];
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    if (!evals || record->us == COLOUR_NONE) {
        free(evals);
        return say_text(out[0], "I cannot tell.");
    }
    evals_of_record(record, evals);
    int known = fill_in(record, evals);
    size_t count = find_losses(record, evals, COLOUR_NONE, losses, TURNING_POINTS_MAX);
    free(evals);
    for (size_t i = 0; i < count; i++)
        write_loss(record, &losses[i], out[i]);
    return count > 0 ? (int)count
           : known < 2
               ? say_text(out[0], "I searched too little of this game to tell.")
               : say_text(out[0], "There was no turning point: my view of the game never jumped.");
}
