/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_reader.h - questions to the archive that nobody on the loop waits for: jobs on libuv's
 * pool, one at a time, so that however many ask, one core is busy with them at most and the
 * archive's writes find a thread. Each has a connection of its own, for reading. Loop thread, but
 * for what its header says. */
#pragma once
#include "bot/archive/store.h"

#include <uv.h>

typedef struct ArchiveReader ArchiveReader;

enum { ARCHIVE_READER_WAITING_MAX = 32 };

/* A question, which its owner embeds in what it asks and wants to know. */
typedef struct ArchiveQuestion {
    /* On a thread of the pool, where nothing else touches the question. `store`: for the call. */
    bool (*read)(struct ArchiveQuestion *question, Store *store, Error *err);
    /* On the loop, once, later (I5). `why` is set where it was not read: it failed, or the reader
     * was closed before. The question is its owner's again. */
    void (*on_read)(struct ArchiveQuestion *question, const Error *why);
    struct ArchiveQuestion *next; /* the reader's own */
} ArchiveQuestion;

/* `path`: of the archive's file, or its server's address; copied. */
bool archive_reader_new(ArchiveReader **out, uv_loop_t *loop, const char *path,
                        Error *err) MUST_CHECK;

/* The question is lent until its on_read(). False: too many wait, and nothing comes of it. */
bool archive_reader_ask(ArchiveReader *reader, ArchiveQuestion *question) MUST_CHECK;

/* The memory goes when the question that is being read has been; no server is waited for any more.
 * NULL is fine. */
void archive_reader_close(ArchiveReader *reader);
