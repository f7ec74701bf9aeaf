/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/progress.h"

#include "bot/archive/store_db.h"
#include "engine/base/duration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SQL_MAX = 4096,
    KINDS_MAX = 64, /* of ratings that any server might have */
    RATING_MOST = 10000,
};

/* One row of the answer: a step's games of one rating against one kind. */
typedef struct {
    int step;
    Against against;
    const char *name; /* lent */
    ProgressResults results;
    int64_t rated;
    double rating; /* the sum of ours */
} Row;

/* What is summed up over the steps, of each rating. */
typedef struct {
    ProgressRating rating;
    int64_t rated[PROGRESS_STEPS_MAX];
    double sum[PROGRESS_STEPS_MAX];
} Sum;

typedef struct {
    Progress progress;
    Sum sums[KINDS_MAX];
    int count;
} Sums;

static const char span_sql[] = "SELECT min(ended_ms), max(ended_ms) FROM game"
                               " WHERE outcome IN ('win', 'draw', 'loss') AND ";

/* Games from positions count for no rating, and show that of their speed. */
static const char steps_sql[] =
    "SELECT (ended_ms - %" PRId64 ") / %" PRId64 " AS step, opponent_is_bot,"
    " CASE WHEN variant IN ('standard', 'fromPosition') THEN speed ELSE variant END AS kind,"
    " count(*) FILTER (WHERE outcome = 'win'), count(*) FILTER (WHERE outcome = 'draw'),"
    " count(*) FILTER (WHERE outcome = 'loss'),"
    " count(CASE our_colour WHEN 'white' THEN white_rating ELSE black_rating END),"
    " sum(CASE our_colour WHEN 'white' THEN white_rating ELSE black_rating END)"
    " FROM game WHERE outcome IN ('win', 'draw', 'loss') AND ";

/* ---- questions ---- */

/* Calls for each row; false when it fails. `sql` is released. */
static bool ask(Store *store, Buf *sql, const StoreFilter *filter,
                void (*on_row)(void *user, const DbQuery *row), void *user, Error *err)
{
    DbQuery *question = db_prepare(store->db, buf_view(sql), err);
    DbStep step;
    buf_release(sql);
    if (!question)
        return false;
    store_filter_bind(question, filter);
    while ((step = db_step(question, err)) == DB_ROW)
        on_row(user, question);
    db_finish(question);
    return step == DB_DONE;
}

/* The shortest step of which PROGRESS_STEPS_MAX suffice. Times in the file are untrusted. */
static void choose_steps(Progress *out, int64_t first_ms, int64_t last_ms)
{
    static const int days[] = { 1, 7, 28, 91, 364, 3640 };
    if (first_ms < 0 || last_ms < first_ms || last_ms > INT64_MAX / 2)
        return;
    out->begins_ms = first_ms - first_ms % DURATION_DAY_MS;
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        out->step_ms = days[i] * DURATION_DAY_MS;
        int64_t count = (last_ms - out->begins_ms) / out->step_ms + 1;
        if (count <= PROGRESS_STEPS_MAX) {
            out->count = (int)count;
            return;
        }
    }
}

static void on_span(void *user, const DbQuery *row)
{
    if (!db_is_null(row, 0))
        choose_steps(user, db_number(row, 0), db_number(row, 1));
}

/* ---- sums ---- */

static Sum *find_sum(Sums *sums, const char *name)
{
    for (int i = 0; i < sums->count; i++)
        if (strcmp(sums->sums[i].rating.name, name) == 0)
            return &sums->sums[i];
    if (sums->count == KINDS_MAX)
        return NULL;
    Sum *sum = &sums->sums[sums->count];
    if (!text_copy(sum->rating.name, sizeof sum->rating.name, text_of(name)))
        return NULL;
    sums->count++;
    return sum;
}

static void add(Sums *sums, const Row *row)
{
    ProgressResults *results = &sums->progress.results[row->against][row->step];
    results->won += row->results.won;
    results->drawn += row->results.drawn;
    results->lost += row->results.lost;
    Sum *sum = find_sum(sums, row->name);
    if (!sum)
        return;
    sum->rating.games += row->results.won + row->results.drawn + row->results.lost;
    sum->rated[row->step] += row->rated;
    sum->sum[row->step] += row->rating;
}

static void on_step(void *user, const DbQuery *row)
{
    Sums *sums = user;
    int64_t step = db_number(row, 0);
    if (step < 0 || step >= sums->progress.count)
        return; /* it came after the question for the span */
    add(sums, &(Row){ .step = (int)step,
                      .against = db_number(row, 1) != 0 ? AGAINST_BOTS : AGAINST_HUMANS,
                      .name = db_text(row, 2),
                      .results = { db_number(row, 3), db_number(row, 4), db_number(row, 5) },
                      .rated = db_number(row, 6),
                      .rating = db_real(row, 7) });
}

static int by_games(const void *a, const void *b)
{
    const Sum *left = a, *right = b;
    if (left->rating.games != right->rating.games)
        return left->rating.games < right->rating.games ? 1 : -1;
    return strcmp(left->rating.name, right->rating.name);
}

static void finish(Sums *sums, Progress *out)
{
    *out = sums->progress;
    qsort(sums->sums, (size_t)sums->count, sizeof *sums->sums, by_games);
    for (int i = 0; i < sums->count && i < PROGRESS_RATINGS_MAX; i++) {
        const Sum *sum = &sums->sums[i];
        ProgressRating *rating = &out->ratings[out->rating_count++];
        *rating = sum->rating;
        for (int step = 0; step < out->count; step++) {
            double mean =
                sum->rated[step] > 0 ? sum->sum[step] / (double)sum->rated[step] + 0.5 : 0;
            rating->rating[step] = mean > 0 && mean < RATING_MOST ? (int)mean : 0;
        }
    }
}

bool progress_read(Store *store, const StoreFilter *filter, Progress *out, Error *err)
{
    Buf sql;
    Sums *sums = calloc(1, sizeof *sums);
    buf_init(&sql, SQL_MAX);
    bool ok = sums && buf_put_text(&sql, span_sql) && store_filter_write(&sql, filter);
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    ok = ok && ask(store, &sql, filter, on_span, &sums->progress, err);
    if (ok && sums->progress.count > 0) {
        ok = buf_printf(&sql, steps_sql, sums->progress.begins_ms, sums->progress.step_ms) &&
             store_filter_write(&sql, filter) && buf_put_text(&sql, " GROUP BY 1, 2, 3");
        if (!ok)
            error_set(err, ERR_MEMORY, "no memory");
        ok = ok && ask(store, &sql, filter, on_step, sums, err);
    }
    if (ok)
        finish(sums, out);
    buf_release(&sql);
    free(sums);
    return ok;
}
