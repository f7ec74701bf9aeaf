/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/transcript_writer.h"

#include "bot/ops/timer.h"
#include "bot/ops/printable.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    FLUSH_MS = 200,            /* lines wait so long for each other */
    CHATTER_FREELY = 16,       /* lines of a search, and then … */
    CHATTER_EVERY_US = 100000, /* … one in this time */
    DAY_S = 86400,
    TAIL_NAME_ROOM = 16,
};

typedef struct {
    char lines[TRANSCRIPT_RECENT_LINES][TRANSCRIPT_RECENT_SIZE];
    int count; /* in all */
} Recent;

/* What a job on the pool sees. */
typedef struct {
    char folder[PATH_MAX];
    char head[PATH_MAX], tail[PATH_MAX + TAIL_NAME_ROOM], old[PATH_MAX + 2 * TAIL_NAME_ROOM];
    int days; /* 0: old files were removed already */
    Buf text;
    int failure; /* errno; 0: it was written */
} Job;

struct TranscriptWriter {
    uv_loop_t *loop;
    Log *log;
    uv_timer_t timer;
    uv_work_t work;
    Job job;
    Buf pending;
    int64_t began_us;
    int left_out; /* lines since the last one that fitted */
    bool is_waiting, is_busy, is_closed, is_timer_closed, has_failed;
    bool has_begun;     /* the file is there soon: somebody may want to follow */
    int chatter;        /* lines kept of this search */
    int64_t chatter_us; /* when the last of them was */
    int held_back;      /* lines since then; the last of them is this: */
    TranscriptLine held;
    char held_text[TRANSCRIPT_HEARD_MAX];
    Recent heard, errors;
};

static void take_next_step(TranscriptWriter *writer);

bool transcript_path(char *out, size_t size, const char *folder, const char *game,
                     const char *engine)
{
    int len = snprintf(out, size, "%s/%s.%s", folder, game, engine);
    if (len < 0 || (size_t)len + sizeof TRANSCRIPT_SUFFIX > size)
        return false;
    for (char *c = out + strlen(folder) + 1 + strlen(game) + 1; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '_';
    memcpy(out + len, TRANSCRIPT_SUFFIX, sizeof TRANSCRIPT_SUFFIX);
    return true;
}

/* On the pool. */

static void remove_old_files(Job *job)
{
    time_t since = time(NULL) - (time_t)job->days * DAY_S;
    DIR *folder = opendir(job->folder);
    struct stat facts;
    if (!folder)
        return;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (strstr(entry->d_name, TRANSCRIPT_SUFFIX) &&
            fstatat(dirfd(folder), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode) && facts.st_mtime < since)
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
}

/* Opens it to append; *size: what is in it. */
static int open_file(const char *path, size_t *size)
{
    struct stat facts;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && fstat(fd, &facts) == 0)
        *size = (size_t)facts.st_size;
    return fd;
}

/* The head as long as it has room, and then the tail, which makes way for a new one. */
static int open_place(const Job *job)
{
    size_t size = 0;
    bool has_tail = access(job->tail, F_OK) == 0; /* then the head is done with */
    int fd = has_tail ? -1 : open_file(job->head, &size);
    if (!has_tail && (fd < 0 || size + job->text.len <= TRANSCRIPT_HEAD_MAX))
        return fd;
    if (fd >= 0)
        close(fd);
    fd = open_file(job->tail, &size);
    if (fd < 0 || size + job->text.len <= TRANSCRIPT_TAIL_MAX)
        return fd;
    close(fd);
    if (rename(job->tail, job->old) != 0)
        return -1;
    return open_file(job->tail, &size);
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, text, len);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        len -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static void run_job(uv_work_t *work)
{
    TranscriptWriter *writer = work->data;
    Job *job = &writer->job;
    if (job->days > 0)
        remove_old_files(job);
    job->days = 0;
    int fd = open_place(job);
    bool ok = fd >= 0 && write_all(fd, job->text.text, job->text.len);
    job->failure = ok ? 0 : errno;
    if (fd >= 0)
        close(fd);
}

/* On the loop. */

static void transcript_writer_on_job_done(uv_work_t *work, int status)
{
    TranscriptWriter *writer = work->data;
    (void)status; /* nobody cancels it */
    writer->is_busy = false;
    buf_release(&writer->job.text);
    if (writer->job.failure && !writer->is_closed && !writer->has_failed) {
        log_warning(writer->log, "engine", "no-transcript",
                    FIELDS(F("file", writer->job.head), F("why", strerror(writer->job.failure))));
        writer->has_failed = true;
    }
    take_next_step(writer);
}

static void transcript_writer_on_timer_closed(uv_handle_t *timer)
{
    TranscriptWriter *writer = timer->data;
    writer->is_timer_closed = true;
    take_next_step(writer);
}

static void transcript_writer_on_timer(uv_timer_t *timer)
{
    TranscriptWriter *writer = timer->data;
    writer->is_waiting = false;
    take_next_step(writer);
}

/* Takes the next step: a job for what is pending, or the end. */
static void take_next_step(TranscriptWriter *writer)
{
    if (writer->is_busy || (writer->is_waiting && !writer->is_closed))
        return;
    if (writer->pending.len > 0) {
        writer->job.text = writer->pending;
        buf_init(&writer->pending, TRANSCRIPT_TAIL_MAX);
        writer->work.data = writer;
        writer->is_busy =
            uv_queue_work(writer->loop, &writer->work, run_job, transcript_writer_on_job_done) == 0;
        if (!writer->is_busy)
            buf_release(&writer->job.text);
    }
    if (!writer->is_busy && writer->is_timer_closed)
        free(writer);
}

static void keep_line(TranscriptWriter *writer, const TranscriptLine *line)
{
    if (writer->job.head[0] == '\0')
        return;
    if (writer->left_out > 0) {
        char text[60];
        size_t len = text_format(text, sizeof text, TRANSCRIPT_LEFT_OUT " %d", writer->left_out);
        const TranscriptLine note = { line->at_us, TRANSCRIPT_NOTE, { text, len } };
        if (transcript_write(&writer->pending, &note))
            writer->left_out = 0;
    }
    if (writer->left_out > 0 || !transcript_write(&writer->pending, line))
        writer->left_out++;
    if (!writer->is_waiting && !writer->is_closed) {
        writer->is_waiting = true;
        timer_set(&writer->timer, transcript_writer_on_timer,
                  timer_after(writer->has_begun ? FLUSH_MS : 0));
        writer->has_begun = true;
    }
}

static void remember(Recent *recent, Text text)
{
    printable_copy(recent->lines[recent->count % TRANSCRIPT_RECENT_LINES], TRANSCRIPT_RECENT_SIZE,
                   text);
    recent->count++;
    if (recent->count == 2 * TRANSCRIPT_RECENT_LINES)
        recent->count = TRANSCRIPT_RECENT_LINES; /* the same place, and no end of counting */
}

/* An engine may report thousands of lines a second; what answers us is never thinned. */
static bool is_chatter(const TranscriptLine *line)
{
    Text rest = line->text;
    Text word = text_next_word(&rest, " \t");
    return line->kind == TRANSCRIPT_HEARD && !text_is(word, "bestmove") &&
           !text_is(word, "readyok") && !text_is(word, "uciok");
}

static void release_held(TranscriptWriter *writer)
{
    if (writer->held_back == 0)
        return;
    writer->left_out += writer->held_back - 1;
    writer->held_back = 0;
    keep_line(writer, &writer->held);
}

static void hold_back(TranscriptWriter *writer, const TranscriptLine *line)
{
    size_t len = line->text.len < TRANSCRIPT_HEARD_MAX ? line->text.len : TRANSCRIPT_HEARD_MAX;
    memcpy(writer->held_text, line->text.at, len);
    writer->held = (TranscriptLine){ line->at_us, line->kind, { writer->held_text, len } };
    writer->held_back++;
}

static void put_line(TranscriptWriter *writer, TranscriptKind kind, Text text)
{
    const TranscriptLine line = { clock_now_us() - writer->began_us, kind, text };
    if (kind == TRANSCRIPT_HEARD)
        remember(&writer->heard, text);
    else if (kind == TRANSCRIPT_ERROR)
        remember(&writer->errors, text);
    bool is_talk = is_chatter(&line);
    if (is_talk && writer->chatter >= CHATTER_FREELY &&
        line.at_us - writer->chatter_us < CHATTER_EVERY_US) {
        hold_back(writer, &line);
        return;
    }
    release_held(writer);
    if (is_talk) {
        writer->chatter++;
        writer->chatter_us = line.at_us;
    } else if (kind == TRANSCRIPT_TOLD && text_starts_with(text, "go")) {
        writer->chatter = 0;
    }
    keep_line(writer, &line);
}

void transcript_writer_put(TranscriptWriter *writer, TranscriptKind kind, Text text)
{
    while (text.len > 0) {
        Text line = text_next_word(&text, "\n");
        if (line.len > 0)
            put_line(writer, kind, line);
    }
}

void transcript_writer_note(TranscriptWriter *writer, const char *word, const char *rest)
{
    char text[600];
    text_format_cut(text, sizeof text, "%s%s%s", word, rest[0] ? " " : "", rest);
    transcript_writer_put(writer, TRANSCRIPT_NOTE, text_of(text));
}

int transcript_writer_recent(const TranscriptWriter *writer, TranscriptKind kind,
                             const char *out[TRANSCRIPT_RECENT_LINES])
{
    const Recent *recent = kind == TRANSCRIPT_ERROR ? &writer->errors : &writer->heard;
    int first = recent->count < TRANSCRIPT_RECENT_LINES ? 0 : recent->count;
    int count = recent->count < TRANSCRIPT_RECENT_LINES ? recent->count : TRANSCRIPT_RECENT_LINES;
    for (int i = 0; i < count; i++)
        out[i] = recent->lines[(first + i) % TRANSCRIPT_RECENT_LINES];
    return count;
}

static bool name_files(Job *job, const TranscriptGame *game, Error *err)
{
    if (game->folder[0] == '\0' || game->days <= 0)
        return true;
    int folder = snprintf(job->folder, sizeof job->folder, "%s", game->folder);
    bool ok = folder > 0 && (size_t)folder < sizeof job->folder &&
              transcript_path(job->head, sizeof job->head, game->folder, game->game, game->engine);
    int tail = snprintf(job->tail, sizeof job->tail, "%s" TRANSCRIPT_TAIL, job->head);
    int old = snprintf(job->old, sizeof job->old, "%s" TRANSCRIPT_OLD, job->tail);
    job->days = game->days;
    if (!ok || tail <= 0 || old <= 0 || (size_t)old >= sizeof job->old)
        error_set(err, ERR_RANGE, "%s: too long a path", game->folder);
    return ok;
}

static void write_head(TranscriptWriter *writer, const TranscriptGame *game)
{
    char date[40] = "";
    time_t now = (time_t)(clock_unix_ms() / 1000);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        date[0] = '\0';
    transcript_writer_note(writer, TRANSCRIPT_GAME, game->game);
    transcript_writer_note(writer, TRANSCRIPT_ENGINE, game->engine);
    transcript_writer_note(writer, TRANSCRIPT_VARIANT, game->variant);
    transcript_writer_note(writer, TRANSCRIPT_DATE, date);
}

bool transcript_writer_new(TranscriptWriter **out, uv_loop_t *loop, const TranscriptGame *game,
                           Error *err)
{
    TranscriptWriter *writer = alloc_zeroed(sizeof *writer, "a transcript", err);
    if (!writer || !name_files(&writer->job, game, err)) {
        free(writer);
        return false;
    }
    timer_init(loop, &writer->timer, writer);
    writer->loop = loop;
    writer->log = game->log;
    writer->began_us = clock_now_us();
    buf_init(&writer->pending, TRANSCRIPT_TAIL_MAX);
    write_head(writer, game);
    *out = writer;
    return true;
}

void transcript_writer_close(TranscriptWriter *writer)
{
    if (!writer)
        return;
    release_held(writer);
    writer->is_closed = true;
    uv_close((uv_handle_t *)&writer->timer, transcript_writer_on_timer_closed);
}
