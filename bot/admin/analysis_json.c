/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/analysis_json.h"

#include "bot/review/people_moves.h"
#include "bot/model/score_text.h"
#include "bot/ops/json_put.h"
#include "engine/base/text_format.h"

enum { LOSSES_MAX = 24 }; /* those that lost most */

/* Rounded to a tenth. */
static struct json_object *percent_json(double percent)
{
    char text[16];
    text_format(text, sizeof text, "%.1f", percent);
    return json_object_new_double_s(percent, text);
}

static struct json_object *percents(const GameRecord *record, const PositionEval *evals)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 1; i <= record->count; i++)
        json_put_entry(
            list, evals[i].score == SCORE_NONE ? NULL : percent_json(win_percent(evals[i].score)));
    return list;
}

/* How many people of the opponent's rating play the move, and what most of them play. */
static void put_people(struct json_object *to, const GameRecord *record, size_t index)
{
    PeopleMove people;
    int rating = record_opponent(record)->rating;
    if (people_moves_read(record, index, index, rating, &people) == 0)
        return;
    struct json_object *said = json_object_new_object();
    json_put_number(said, "rating", people_rating(rating));
    json_put_value(said, "percent", percent_json((double)people.share * 100));
    json_put_text(said, "first", people.first);
    json_put_value(said, "first_percent", percent_json((double)people.first_share * 100));
    json_put_value(to, "people", said);
}

static struct json_object *loss_json(const GameRecord *record, const PositionEval *evals,
                                     const MoveLoss *loss)
{
    struct json_object *to = json_object_new_object();
    char title[MOVE_TITLE_SIZE], best[SAN_SIZE], before[SCORE_TEXT_SIZE], after[SCORE_TEXT_SIZE];
    (void)move_titles_write(record, loss->index, evals[loss->index].best, title, best);
    score_text(loss->before, before);
    score_text(loss->after, after);
    json_put_number(to, "ply", (int64_t)loss->index + 1);
    json_put_text(to, "judgement", judgement_name(loss->judgement));
    json_put_text(to, "mark", judgement_mark(loss->judgement));
    json_put_text(to, "cause", loss_cause_name(loss->cause));
    json_put_text(to, "move", title);
    json_put_text(to, "best", best);
    json_put_text(to, "before", before);
    json_put_text(to, "after", after);
    json_put_value(to, "lost", percent_json(loss->lost));
    put_people(to, record, loss->index);
    return to;
}

struct json_object *analysis_json(const GameRecord *record, const PositionEval *evals)
{
    struct json_object *to = json_object_new_object(), *list = json_object_new_array();
    double accuracy[COLOUR_COUNT];
    MoveLoss losses[LOSSES_MAX];
    LossCause cause;
    if (!to || !list) {
        json_object_put(to);
        json_object_put(list);
        return NULL;
    }
    if (game_accuracy(evals + 1, record->count, record_first_mover(record), accuracy)) {
        struct json_object *sides = json_object_new_object();
        for (Colour side = WHITE; side < COLOUR_COUNT; side++)
            json_put_value(sides, colour_name(side), percent_json(accuracy[side]));
        json_put_value(to, "accuracy", sides);
    }
    json_put_value(to, "percent", percents(record, evals));
    if (game_loss_cause(record, evals, &cause))
        json_put_text(to, "lost_by", loss_cause_name(cause));
    size_t count = find_losses(record, evals, COLOUR_NONE, losses, LOSSES_MAX);
    for (size_t i = 0; i < count; i++)
        if (losses[i].lost >= LOST_SHOWN)
            json_put_entry(list, loss_json(record, evals, &losses[i]));
    json_put_value(to, "losses", list);
    return to;
}
