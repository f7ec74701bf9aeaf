/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive_reader.h"

#include "engine/base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct ArchiveReader {
    uv_loop_t *loop;
    char *path;
    uv_work_t work;
    ArchiveQuestion *first, **last; /* the first is being read */
    int count;
    bool is_closing;
    atomic_bool stop; /* a server that is waited for */
    Error why;        /* the job's, while it runs */
};

/* On a thread of the pool: the first question, the path and the cause are its own meanwhile. */
static void read_first(uv_work_t *work)
{
    ArchiveReader *reader = work->data;
    Store *store = NULL;
    if (store_new_until(&store, reader->path, STORE_READ, &reader->stop, &reader->why) &&
        !reader->first->read(reader->first, store, &reader->why))
        error_set(&reader->why, ERR_IO, "%s: cannot be read", reader->path);
    store_free(store);
}

static void begin(ArchiveReader *reader);

static ArchiveQuestion *take_first(ArchiveReader *reader)
{
    ArchiveQuestion *question = reader->first;
    reader->first = question->next;
    if (!reader->first)
        reader->last = &reader->first;
    reader->count--;
    return question;
}

static void free_reader(ArchiveReader *reader)
{
    const Error closed = { .code = ERR_NOT_NOW, .text = "closed" };
    while (reader->first) {
        ArchiveQuestion *question = take_first(reader);
        question->on_read(question, &closed);
    }
    free(reader->path);
    free(reader);
}

static void on_done(uv_work_t *work, int status)
{
    ArchiveReader *reader = work->data;
    Error why = reader->why;
    (void)status; /* never cancelled */
    ArchiveQuestion *question = take_first(reader);
    bool goes_on = reader->first && !reader->is_closing, is_last = reader->is_closing;
    if (goes_on)
        begin(reader);
    question->on_read(question, &why);
    if (is_last)
        free_reader(reader);
}

static void begin(ArchiveReader *reader)
{
    reader->why = (Error){ .code = ERR_NONE };
    reader->work.data = reader;
    int failure = uv_queue_work(reader->loop, &reader->work, read_first, on_done);
    assert(failure == 0);
    (void)failure;
}

bool archive_reader_new(ArchiveReader **out, uv_loop_t *loop, const char *path, Error *err)
{
    ArchiveReader *reader = alloc_zeroed(sizeof *reader, "the archive's reader", err);
    if (!reader)
        return false;
    reader->loop = loop;
    reader->last = &reader->first;
    reader->path = strdup(path);
    if (!reader->path) {
        error_set(err, ERR_MEMORY, "no memory for the archive's reader");
        free(reader);
        return false;
    }
    *out = reader;
    return true;
}

bool archive_reader_ask(ArchiveReader *reader, ArchiveQuestion *question)
{
    if (reader->is_closing || reader->count == ARCHIVE_READER_WAITING_MAX)
        return false;
    question->next = NULL;
    *reader->last = question;
    reader->last = &question->next;
    if (reader->count++ == 0)
        begin(reader);
    return true;
}

void archive_reader_close(ArchiveReader *reader)
{
    if (!reader)
        return;
    reader->is_closing = true;
    atomic_store(&reader->stop, true);
    if (reader->count == 0)
        free_reader(reader);
}
