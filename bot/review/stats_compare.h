/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_compare.h - two engine versions by their games: how strong each was, and the difference.
 *
 * A version's performance is the rating with which Elo's formula expects its score against the
 * opponents it met. The 95 % come from how its results scatter about what the formula expects, so
 * draws make them narrower as they should. Pure. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double score;    /* ours: 0, 0.5, 1 */
    int rating;      /* the opponent's */
    double depth;    /* mean of our moves'; 0: not known */
    bool is_on_time; /* lost on the clock */
    int strikes;     /* of our engine */
} CompareGame;

typedef struct {
    int64_t games;
    double score;               /* of the points to be had, 0..1 */
    bool is_rated;              /* so all of this: there are points lost and points won */
    double performance, margin; /* Elo, and ± 95 % */
    int64_t on_time;            /* lost so */
    int64_t strikes;            /* in all of them */
    double depth;               /* mean; 0: not known */
} CompareSide;

typedef struct {
    CompareSide sides[2];
    bool is_rated;
    double difference, margin; /* first less second, ± 95 % */
    double superiority;        /* how likely it is that the first is stronger, 0..1 */
} Compare;

void stats_compare(const CompareGame *first, size_t first_count, const CompareGame *second,
                   size_t second_count, Compare *out);
