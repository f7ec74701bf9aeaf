/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/stats_json.h"

#include "bot/admin/record_json.h"
#include "bot/ops/json_put.h"
#include "engine/base/text_format.h"

#include <math.h>

enum { NUMBER_SIZE = 40 };

StatsTimeMeans stats_time_means(const TimeUse *use)
{
    return (StatsTimeMeans){
        .move_s = time_sum_mean_s(&use->spent[TIME_USE_OURS]),
        .share = use->games > 0 ? use->share / (double)use->games : 0,
        .lag_ms = 1000 * time_sum_mean_s(&use->lag),
    };
}

static void add_number(struct json_object *to, const char *name, double value, int digits)
{
    char text[NUMBER_SIZE];
    if (!isfinite(value) || fabs(value) > 1e15)
        return;
    text_format(text, sizeof text, "%.*f", digits, value);
    json_put_value(to, name, json_object_new_double_s(value, text));
}

/* ---- rows ---- */

static struct json_object *losses_json(const LossSum *sum)
{
    struct json_object *to = json_object_new_object(), *chances = json_object_new_object(),
                       *games = json_object_new_object();
    json_put_number(to, "analysed", sum->games);
    if (sum->accurate > 0) {
        add_number(to, "accuracy", sum->ours / (double)sum->accurate / 100, 4);
        add_number(to, "their_accuracy", sum->theirs / (double)sum->accurate / 100, 4);
    }
    for (int i = 0; i < CAUSE_COUNT; i++) {
        const char *cause = loss_cause_name((LossCause)i);
        add_number(chances, cause, sum->lost[i] / (double)sum->games / 100, 4);
        json_put_number(games, cause, sum->lost_by[i]);
    }
    json_put_value(to, "chances_lost_a_game", chances);
    json_put_value(to, "games_lost", games);
    return to;
}

struct json_object *stats_json_row(StatsBy by, const StatsRow *row)
{
    struct json_object *line = json_object_new_object();
    if (!line)
        return NULL;
    json_put_text(line, "by", stats_by_names[by]);
    json_put_shown(line, "name", row->name);
    json_put_number(line, "games", row->games);
    json_put_number(line, "won", row->won);
    json_put_number(line, "drawn", row->drawn);
    json_put_number(line, "lost", row->lost);
    add_number(line, "score", stats_score(row), 4);
    if (stats_performance(row) != 0) {
        add_number(line, "opponents", row->opponents, 0);
        json_put_number(line, "performance", stats_performance(row));
    }
    if (row->in_book > 0) {
        struct json_object *book = json_object_new_object();
        json_put_number(book, "games", row->in_book);
        add_number(book, "plies", row->book_plies, 1);
        json_put_number(book, "evaluated", row->exits);
        if (row->exits > 0)
            add_number(book, "evaluation_cp", row->exit_cp, 0);
        json_put_value(line, "book", book);
    }
    if (row->time.games > 0) {
        struct json_object *use = json_object_new_object();
        StatsTimeMeans means = stats_time_means(&row->time);
        json_put_number(use, "games", row->time.games);
        json_put_number(use, "moves", row->time.spent[TIME_USE_OURS].moves);
        add_number(use, "move_s", means.move_s, 3);
        add_number(use, "clock_share", means.share, 4);
        if (row->time.lag.moves > 0)
            add_number(use, "lag_ms", means.lag_ms, 1);
        json_put_value(line, "time", use);
    }
    if (by == STATS_ENGINE) {
        json_put_number(line, "on_time", row->on_time);
        json_put_number(line, "strikes", row->strikes);
    }
    if (row->losses.games > 0)
        json_put_value(line, "losses", losses_json(&row->losses));
    return line;
}

/* ---- over time ---- */

static struct json_object *counts_json(const ProgressResults *results, int count)
{
    struct json_object *to = json_object_new_object(), *won = json_object_new_array(),
                       *drawn = json_object_new_array(), *lost = json_object_new_array();
    for (int i = 0; i < count; i++) {
        json_put_entry(won, json_object_new_int64(results[i].won));
        json_put_entry(drawn, json_object_new_int64(results[i].drawn));
        json_put_entry(lost, json_object_new_int64(results[i].lost));
    }
    json_put_value(to, "won", won);
    json_put_value(to, "drawn", drawn);
    json_put_value(to, "lost", lost);
    return to;
}

static struct json_object *rating_json(const ProgressRating *rating, int count)
{
    struct json_object *to = json_object_new_object(), *list = json_object_new_array();
    for (int i = 0; i < count; i++)
        json_put_entry(list, rating->rating[i] > 0 ? json_object_new_int(rating->rating[i]) : NULL);
    json_put_shown(to, "name", rating->name);
    json_put_value(to, "rating", list);
    return to;
}

struct json_object *stats_json_progress(const Progress *progress)
{
    struct json_object *to = json_object_new_object(), *results = json_object_new_object(),
                       *ratings = json_object_new_array();
    json_put_number(to, "begins_unix_s", progress->begins_ms / 1000);
    json_put_number(to, "step_s", progress->step_ms / 1000);
    json_put_number(to, "count", progress->count);
    for (int kind = 0; kind < AGAINST_COUNT; kind++)
        json_put_value(results, against_name((Against)kind),
                       counts_json(progress->results[kind], progress->count));
    for (int i = 0; i < progress->rating_count; i++)
        json_put_entry(ratings, rating_json(&progress->ratings[i], progress->count));
    json_put_value(to, "results", results);
    json_put_value(to, "ratings", ratings);
    return to;
}

/* ---- time ---- */

static struct json_object *speed_json(Speed speed, const TimeUse *use)
{
    struct json_object *to = json_object_new_object();
    StatsTimeMeans means = stats_time_means(use);
    json_put_text(to, "speed", speed_name(speed));
    json_put_number(to, "games", use->games);
    add_number(to, "ours_s", means.move_s, 1);
    add_number(to, "theirs_s", time_sum_mean_s(&use->spent[TIME_USE_THEIRS]), 1);
    add_number(to, "clock_share", means.share, 4);
    if (use->lag.moves > 0) {
        add_number(to, "lag_ms", means.lag_ms, 0);
        json_put_number(to, "lag_worst_ms", use->lag.most_ms);
    }
    return to;
}

/* The first move has no time. */
static struct json_object *seconds_json(const TimeSum sums[TIME_USE_MOVES_MAX])
{
    struct json_object *list = json_object_new_array();
    for (int i = 1; i < TIME_USE_MOVES_MAX; i++) {
        char text[NUMBER_SIZE];
        double mean_s = time_sum_mean_s(&sums[i]);
        text_format(text, sizeof text, "%.2f", mean_s);
        bool is_known = isfinite(mean_s);
        json_put_entry(list, is_known ? json_object_new_double_s(mean_s, text) : NULL);
    }
    return list;
}

struct json_object *stats_json_times(const TimeUse times[SPEED_COUNT], const TimeByMove *by_move)
{
    struct json_object *to = json_object_new_object(), *speeds = json_object_new_array(),
                       *moves = json_object_new_object();
    int64_t games = 0;
    for (int speed = 0; speed < SPEED_COUNT; speed++) {
        if (times[speed].games > 0)
            json_put_entry(speeds, speed_json((Speed)speed, &times[speed]));
        games += times[speed].games;
    }
    json_put_number(to, "games", games);
    json_put_value(to, "speeds", speeds);
    json_put_value(moves, "ours", seconds_json(by_move->spent[TIME_USE_OURS]));
    json_put_value(moves, "theirs", seconds_json(by_move->spent[TIME_USE_THEIRS]));
    json_put_value(to, "by_move", moves);
    return to;
}
