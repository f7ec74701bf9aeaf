/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive_reader.h"

#include "engine/base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NICENESS = 7 /* more than searches have, and so little that a stop is soon seen */ };

struct ArchiveReader {
    char *path;
    uv_async_t wake;
    uv_thread_t thread;
    ArchiveQuestion *first, **last; /* the first is being read, while is_reading */
    int count;
    bool is_reading, has_thread, is_closing;
    atomic_bool is_read; /* the thread is done */
    atomic_bool stop;    /* the question that is being read */
    Error why;           /* the thread's, while it runs */
};

/* The first question, the path and the cause are its own meanwhile. */
static void read_first(void *user)
{
    ArchiveReader *reader = user;
    Store *store = NULL;
#ifdef __linux__
    if (getpriority(PRIO_PROCESS, 0) < NICENESS)
        setpriority(PRIO_PROCESS, 0, NICENESS); /* of this thread alone */
#endif
    if (store_new_until(&store, reader->path, STORE_READ, &reader->stop, &reader->why) &&
        !reader->first->read(reader->first, store, &reader->why))
        error_set(&reader->why, ERR_IO, "%s: cannot be read", reader->path);
    store_free(store);
    atomic_store(&reader->is_read, true);
    uv_async_send(&reader->wake);
}

/* A thread that cannot be had is an answer, too. */
static void begin(ArchiveReader *reader)
{
    reader->why = (Error){ .code = ERR_NONE };
    reader->is_reading = true;
    atomic_store(&reader->stop, false);
    atomic_store(&reader->is_read, false);
    uv_ref((uv_handle_t *)&reader->wake);
    int failure = uv_thread_create(&reader->thread, read_first, reader);
    reader->has_thread = failure == 0;
    if (failure == 0)
        return;
    error_set(&reader->why, ERR_MEMORY, "no thread to read it: %s", uv_strerror(failure));
    atomic_store(&reader->is_read, true);
    uv_async_send(&reader->wake);
}

static void take(ArchiveReader *reader, ArchiveQuestion **at)
{
    *at = (*at)->next;
    if (!*at)
        reader->last = at;
    reader->count--;
}

/* Takes out the dropped ones that wait, and when it closes all of them; returns their list. */
static ArchiveQuestion *take_waiting(ArchiveReader *reader)
{
    ArchiveQuestion *taken = NULL, **end = &taken;
    ArchiveQuestion **at = reader->is_reading ? &reader->first->next : &reader->first;
    while (*at) {
        ArchiveQuestion *question = *at;
        if (!question->is_dropped && !reader->is_closing) {
            at = &question->next;
            continue;
        }
        take(reader, at);
        question->next = NULL;
        *end = question;
        end = &question->next;
    }
    return taken;
}

static ArchiveQuestion *take_read(ArchiveReader *reader)
{
    ArchiveQuestion *question = reader->first;
    if (reader->has_thread)
        uv_thread_join(&reader->thread);
    take(reader, &reader->first);
    reader->is_reading = false;
    return question;
}

static void archive_reader_on_closed(uv_handle_t *handle)
{
    ArchiveReader *reader = handle->data;
    free(reader->path);
    free(reader);
}

/* Every answer may call back: so the state is whole before each, and the reader is let go last. */
static void archive_reader_on_wake(uv_async_t *wake)
{
    ArchiveReader *reader = wake->data;
    const Error given_up = { .code = ERR_NOT_NOW, .text = "given up" };
    Error why = { .code = ERR_NONE };
    ArchiveQuestion *read = NULL;
    if (reader->is_reading && atomic_load(&reader->is_read)) {
        why = reader->why;
        read = take_read(reader);
    }
    ArchiveQuestion *given = take_waiting(reader);
    if (!reader->is_reading && reader->first)
        begin(reader);
    if (!reader->is_reading)
        uv_unref((uv_handle_t *)&reader->wake);
    if (read)
        read->on_read(read, read->is_dropped ? &given_up : &why);
    while (given) {
        ArchiveQuestion *next = given->next;
        given->on_read(given, &given_up);
        given = next;
    }
    if (reader->is_closing && reader->count == 0 && !uv_is_closing((uv_handle_t *)wake))
        uv_close((uv_handle_t *)wake, archive_reader_on_closed);
}

bool archive_reader_new(ArchiveReader **out, uv_loop_t *loop, const char *path, Error *err)
{
    ArchiveReader *reader = alloc_zeroed(sizeof *reader, "the archive's reader", err);
    if (!reader)
        return false;
    reader->last = &reader->first;
    reader->path = strdup(path);
    int failure =
        reader->path ? uv_async_init(loop, &reader->wake, archive_reader_on_wake) : UV_ENOMEM;
    if (failure) {
        error_set(err, ERR_MEMORY, "the archive's reader: %s", uv_strerror(failure));
        free(reader->path);
        free(reader);
        return false;
    }
    reader->wake.data = reader;
    uv_unref((uv_handle_t *)&reader->wake);
    *out = reader;
    return true;
}

bool archive_reader_ask(ArchiveReader *reader, ArchiveQuestion *question)
{
    if (reader->is_closing || reader->count == ARCHIVE_READER_WAITING_MAX)
        return false;
    question->next = NULL;
    question->is_dropped = false;
    *reader->last = question;
    reader->last = &question->next;
    reader->count++;
    if (!reader->is_reading)
        begin(reader);
    return true;
}

void archive_reader_drop(ArchiveReader *reader, ArchiveQuestion *question)
{
    question->is_dropped = true;
    if (question == reader->first && reader->is_reading)
        atomic_store(&reader->stop, true);
    else
        uv_async_send(&reader->wake);
}

void archive_reader_close(ArchiveReader *reader)
{
    if (!reader || reader->is_closing)
        return;
    reader->is_closing = true;
    atomic_store(&reader->stop, true);
    uv_ref((uv_handle_t *)&reader->wake);
    uv_async_send(&reader->wake);
}
