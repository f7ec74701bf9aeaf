/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/progress.h"

#include "bot/archive/store_db.h"
#include "engine/base/duration.h"

#include <inttypes.h>
#include <string.h>

enum { SQL_MAX = 4096, RATING_MOST = 10000 };

static const char span_sql[] = "SELECT min(ended_ms), max(ended_ms) FROM game"
                               " WHERE outcome IN ('win', 'draw', 'loss') AND ";

/* A row for each step's games of one rating against one kind of opponent, the rating played most
 * first. Games from positions count for no rating, and show that of their speed. */
static const char steps_sql[] =
    "SELECT step, opponent_is_bot, won, drawn, lost, kind,"
    " 1.0 * sum(ratings) OVER of_step / nullif(sum(rated) OVER of_step, 0)"
    " FROM (SELECT (ended_ms - %" PRId64 ") / %" PRId64 " AS step, opponent_is_bot,"
    " CASE WHEN variant IN ('standard', 'fromPosition') THEN speed ELSE variant END AS kind,"
    " count(*) FILTER (WHERE outcome = 'win') AS won,"
    " count(*) FILTER (WHERE outcome = 'draw') AS drawn,"
    " count(*) FILTER (WHERE outcome = 'loss') AS lost,"
    " count(CASE our_colour WHEN 'white' THEN white_rating ELSE black_rating END) AS rated,"
    " sum(CASE our_colour WHEN 'white' THEN white_rating ELSE black_rating END) AS ratings"
    " FROM game WHERE outcome IN ('win', 'draw', 'loss') AND ";
static const char steps_end_sql[] =
    " GROUP BY 1, 2, 3) AS steps WINDOW of_step AS (PARTITION BY kind, step)"
    " ORDER BY sum(won + drawn + lost) OVER (PARTITION BY kind) DESC, kind";

/* Calls for each row; false when it fails. `sql` is released. */
static bool ask_store(Store *store, Buf *sql, const StoreFilter *filter,
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

static void progress_on_span(void *user, const DbQuery *row)
{
    if (!db_is_null(row, 0))
        choose_steps(user, db_number(row, 0), db_number(row, 1));
}

/* The rating of that name, which is the last one's or comes next; NULL: there are enough. */
static ProgressRating *rating_named(Progress *progress, const char *name)
{
    ProgressRating *next = &progress->ratings[progress->rating_count];
    if (progress->rating_count > 0 && strcmp(next[-1].name, name) == 0)
        return &next[-1];
    if (progress->rating_count == PROGRESS_RATINGS_MAX ||
        !text_copy(next->name, sizeof next->name, text_of(name)))
        return NULL;
    progress->rating_count++;
    return next;
}

static void progress_on_step(void *user, const DbQuery *row)
{
    Progress *progress = user;
    int64_t step = db_number(row, 0);
    if (step < 0 || step >= progress->count)
        return; /* it came after the question for the span */
    const Against against = db_number(row, 1) != 0 ? AGAINST_BOTS : AGAINST_HUMANS;
    const ProgressResults here = { db_number(row, 2), db_number(row, 3), db_number(row, 4) };
    ProgressResults *results = &progress->results[against][step];
    results->won += here.won;
    results->drawn += here.drawn;
    results->lost += here.lost;
    ProgressRating *rating = rating_named(progress, db_text(row, 5));
    if (!rating)
        return;
    const double mean = db_real(row, 6) + 0.5;
    rating->games += here.won + here.drawn + here.lost;
    rating->rating[step] = mean > 0 && mean < RATING_MOST ? (int)mean : 0;
}

bool progress_read(Store *store, const StoreFilter *filter, Progress *out, Error *err)
{
    Buf sql;
    Progress progress = { .count = 0 };
    buf_init(&sql, SQL_MAX);
    bool ok = buf_put_text(&sql, span_sql) && store_filter_write(&sql, filter);
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    ok = ok && ask_store(store, &sql, filter, progress_on_span, &progress, err);
    if (ok && progress.count > 0) {
        ok = buf_printf(&sql, steps_sql, progress.begins_ms, progress.step_ms) &&
             store_filter_write(&sql, filter) && buf_put_text(&sql, steps_end_sql);
        if (!ok)
            error_set(err, ERR_MEMORY, "no memory");
        ok = ok && ask_store(store, &sql, filter, progress_on_step, &progress, err);
    }
    if (ok)
        *out = progress;
    buf_release(&sql);
    return ok;
}
