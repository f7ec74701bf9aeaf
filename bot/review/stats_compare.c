/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/stats_compare.h"

#include <math.h>

enum { STEPS = 60 };
static const double elo_max = 6000, log_of_ten = 2.302585092994046, z_95 = 1.959964;

static double expected(double rating, int opponent)
{
    return 1 / (1 + pow(10, (opponent - rating) / 400));
}

static double expected_sum(const CompareGame *games, size_t count, double rating)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += expected(rating, games[i].rating);
    return sum;
}

/* Where the formula expects just these points; it grows with the rating. */
static double find_rating(const CompareGame *games, size_t count, double points)
{
    double low = -elo_max, high = elo_max;
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        if (expected_sum(games, count, middle) < points)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The variance of that estimate, without trust in the formula's own scatter. */
static double variance(const CompareGame *games, size_t count, double rating)
{
    double scatter = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        double e = expected(rating, games[i].rating);
        scatter += (games[i].score - e) * (games[i].score - e);
        slope += e * (1 - e) * log_of_ten / 400;
    }
    return scatter / (slope * slope) * (double)count / (double)(count - 1);
}

static double sum_up(const CompareGame *games, size_t count, CompareSide *out)
{
    double points = 0, depths = 0, deviation = 0;
    size_t deep = 0;
    *out = (CompareSide){ .games = (int64_t)count };
    for (size_t i = 0; i < count; i++) {
        points += games[i].score;
        depths += games[i].depth;
        deep += games[i].depth > 0;
        out->on_time += games[i].is_on_time;
        out->strikes += games[i].strikes;
    }
    if (count > 0)
        out->score = points / (double)count;
    if (deep > 0)
        out->depth = depths / (double)deep;
    out->is_rated = count > 1 && points > 0 && points < (double)count;
    if (out->is_rated) {
        out->performance = find_rating(games, count, points);
        deviation = variance(games, count, out->performance);
        out->margin = z_95 * sqrt(deviation);
    }
    return deviation;
}

void stats_compare(const CompareGame *first, size_t first_count, const CompareGame *second,
                   size_t second_count, Compare *out)
{
    *out = (Compare){ .superiority = 0.5 };
    double both = sum_up(first, first_count, &out->sides[0]);
    both += sum_up(second, second_count, &out->sides[1]);
    out->is_rated = out->sides[0].is_rated && out->sides[1].is_rated;
    if (!out->is_rated)
        return;
    out->difference = out->sides[0].performance - out->sides[1].performance;
    out->margin = z_95 * sqrt(both);
    if (both > 0)
        out->superiority = 0.5 * (1 + erf(out->difference / sqrt(2 * both)));
}
