/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - our results and ratings over time, by the archive: steps of equal length from the
 * first game on, against humans and against bots apart. Lichess rates each speed of standard chess
 * for itself and each variant for itself; "rated as" is one of these. Blocking; not for the loop.
 */
#pragma once
#include "bot/archive/stats.h"

enum {
    PROGRESS_STEPS_MAX = 48,
    PROGRESS_RATINGS_MAX = 6, /* those played most */
    PROGRESS_NAME_SIZE = 24,
};

typedef struct {
    int64_t won, drawn, lost;
} ProgressResults;

typedef struct {
    char name[PROGRESS_NAME_SIZE]; /* "blitz", "atomic" */
    int64_t games;
    int rating[PROGRESS_STEPS_MAX]; /* our mean one; 0: no game, or not known */
} ProgressRating;

typedef struct {
    int64_t begins_ms, step_ms; /* Unix; of whole days in UTC */
    int count;                  /* steps; 0: there is no such game */
    ProgressResults results[AGAINST_COUNT][PROGRESS_STEPS_MAX];
    ProgressRating ratings[PROGRESS_RATINGS_MAX];
    int rating_count;
} Progress;

/* The games of the filter that were won, drawn or lost, in as many steps as fit: of a day, a week,
 * four weeks, and so on. The filter's limit does not count. False and an Error when the file can't
 * be read, or without memory. */
bool progress_read(Store *store, const StoreFilter *filter, Progress *out, Error *err) MUST_CHECK;
