/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/pgn_files.h"

#include "bot/review/pgn.h"
#include "bot/archive/state_dir.h"
#include "bot/ops/file_replace.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/text_format.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RETRY_MS = 60000, DATE_SIZE = 16 };

typedef struct Entry {
    struct Entry *next;
    GameRecord record;
} Entry;

struct PgnFiles {
    uv_loop_t *loop;
    Log *log;
    char directory[PATH_MAX];
    char *site;
    Entry *waiting, **last;
    size_t count;
    bool has_failed; /* and was logged */

    uv_work_t job;
    bool is_writing;
    Entry *batch; /* the job's: written from its head on */
    Error failure;

    bool is_closing;
    uv_timer_t retry;
};

static void free_entry(Entry *entry)
{
    record_release(&entry->record);
    free(entry);
}

/* ---- on the pool ---- */

/* The date that the game began on, by UTC; a game that has none began in 1970. */
static void write_date(const GameRecord *record, char out[DATE_SIZE])
{
    time_t at = (time_t)(record->created_at_ms / 1000);
    struct tm date;
    if (!gmtime_r(&at, &date) || strftime(out, DATE_SIZE, "%Y-%m-%d", &date) == 0)
        memcpy(out, "undated", sizeof "undated");
}

static bool name_file(const PgnFiles *files, const GameRecord *record, char path[PATH_MAX],
                      Error *err)
{
    char date[DATE_SIZE];
    write_date(record, date);
    if (text_format_fits(path, PATH_MAX, "%s/%s-%s.pgn", files->directory, date, record->id))
        return true;
    error_set(err, ERR_RANGE, "%s: too long for a path", files->directory);
    return false;
}

static bool write_file(const PgnFiles *files, const GameRecord *record, Error *err)
{
    char path[PATH_MAX];
    Buf text;
    buf_init(&text, PGN_MAX);
    bool ok = name_file(files, record, path, err);
    if (ok && !pgn_write(record, files->site, &text)) {
        error_set(err, ERR_MEMORY, "no memory for a game's PGN");
        ok = false;
    }
    Text whole = { buf_view(&text), text.len };
    ok = ok && state_dir_make(path, err) && file_replace(path, FILE_FOR_ALL, &whole, 1, err);
    buf_release(&text);
    return ok;
}

static void write_batch(uv_work_t *job)
{
    PgnFiles *files = job->data;
    while (files->batch && write_file(files, &files->batch->record, &files->failure)) {
        Entry *written = files->batch;
        files->batch = written->next;
        free_entry(written);
    }
}

/* ---- on the loop ---- */

static void append(PgnFiles *files, Entry *entry)
{
    *files->last = entry;
    while (*files->last) {
        files->last = &(*files->last)->next;
        files->count++;
    }
}

static void drop_oldest(PgnFiles *files)
{
    Entry *oldest = files->waiting;
    log_error(files->log, "archive", "no-pgn",
              FIELDS(F("id", oldest->record.id), F("why", "too many games wait for the disk"),
                     F("advice", "castled pgn --id writes it from the archive")));
    files->waiting = oldest->next;
    files->count--;
    if (!files->waiting)
        files->last = &files->waiting;
    free_entry(oldest);
}

/* Before those that came while the job ran. */
static void put_back(PgnFiles *files, Entry *batch)
{
    Entry *later = files->waiting;
    files->waiting = NULL;
    files->last = &files->waiting;
    files->count = 0;
    append(files, batch);
    append(files, later);
}

static void pgn_files_on_retry_closed(uv_handle_t *timer)
{
    PgnFiles *files = timer->data;
    while (files->waiting)
        drop_oldest(files);
    free(files->site);
    free(files);
}

static void pgn_files_on_retry(uv_timer_t *timer);

static void say_state(PgnFiles *files, bool is_failing)
{
    if (is_failing && !files->has_failed)
        log_error(
            files->log, "archive", "pgn-failing",
            FIELDS(F("why", files->failure.text), F("advice", "castled tries again each minute")));
    else if (!is_failing && files->has_failed)
        log_info(files->log, "archive", "pgn-writable-again",
                 FIELDS(F("directory", files->directory)));
    files->has_failed = is_failing;
}

static void write_next(PgnFiles *files);

static void pgn_files_on_written(uv_work_t *job, int status)
{
    PgnFiles *files = job->data;
    bool is_failing = files->batch != NULL;
    (void)status; /* nobody cancels it */
    files->is_writing = false;
    say_state(files, is_failing);
    if (is_failing)
        put_back(files, files->batch);
    files->batch = NULL;
    if (files->is_closing && (is_failing || !files->waiting))
        uv_close((uv_handle_t *)&files->retry, pgn_files_on_retry_closed);
    else if (is_failing)
        timer_set(&files->retry, pgn_files_on_retry, timer_after(RETRY_MS));
    else
        write_next(files);
}

static void write_next(PgnFiles *files)
{
    if (files->is_writing || !files->waiting)
        return;
    files->batch = files->waiting;
    files->failure = (Error){ 0 };
    files->job.data = files;
    if (uv_queue_work(files->loop, &files->job, write_batch, pgn_files_on_written)) {
        files->batch = NULL;
        timer_set(&files->retry, pgn_files_on_retry, timer_after(RETRY_MS));
        return;
    }
    files->is_writing = true;
    files->waiting = NULL;
    files->last = &files->waiting;
    files->count = 0;
}

static void pgn_files_on_retry(uv_timer_t *timer)
{
    write_next(timer->data);
}

bool pgn_files_new(PgnFiles **out, uv_loop_t *loop, const char *directory, const char *site,
                   Log *log, Error *err)
{
    PgnFiles *files = alloc_zeroed(sizeof *files, "the PGN files", err);
    if (!files)
        return false;
    files->site = strdup(site);
    if (!files->site ||
        !state_dir_path(files->directory, sizeof files->directory, directory, err)) {
        free(files->site);
        free(files);
        return false;
    }
    files->loop = loop;
    files->log = log;
    files->last = &files->waiting;
    timer_init(loop, &files->retry, files);
    uv_unref((uv_handle_t *)&files->retry);
    *out = files;
    return true;
}

void pgn_files_add(PgnFiles *files, const GameRecord *record)
{
    Entry *entry;
    if (!files || record->id[0] == '\0' || !(entry = alloc_zeroed(sizeof *entry, "a game", NULL)))
        return;
    if (!record_copy(&entry->record, record)) {
        free(entry);
        return;
    }
    if (files->count == PGN_FILES_WAITING)
        drop_oldest(files);
    append(files, entry);
    if (!files->has_failed)
        write_next(files);
}

void pgn_files_close(PgnFiles *files)
{
    if (!files)
        return;
    files->is_closing = true;
    write_next(files);
    if (!files->is_writing)
        uv_close((uv_handle_t *)&files->retry, pgn_files_on_retry_closed);
}
