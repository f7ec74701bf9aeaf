/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_reader.h - questions to the archive that nobody on the loop waits for. They are read one
 * at a time, each on a thread of its own: so it can have a low priority, and libuv's pool
 * stays free for the archive's writes. Each has a connection of its own, for reading. Loop thread,
 * but for what its header says. */
#pragma once
#include "bot/archive/store.h"

#include <uv.h>

typedef struct ArchiveReader ArchiveReader;

enum { ARCHIVE_READER_WAITING_MAX = 32 };

/* A question, which its owner embeds in what it asks and wants to know. */
typedef struct ArchiveQuestion {
    /* On another thread, where nothing else touches the question. `store`: for the call; its calls
     * fail once the question is dropped or the reader is closed. */
    bool (*read)(struct ArchiveQuestion *question, Store *store, Error *err);
    /* On the loop, once, later (I5). `why` is set where it was not read: it failed, or it was
     * dropped, or the reader was closed before. The question is its owner's again. */
    void (*on_read)(struct ArchiveQuestion *question, const Error *why);
    struct ArchiveQuestion *next; /* the reader's own, and so the next: */
    bool is_dropped;
} ArchiveQuestion;

/* `path`: of the archive's file, or its server's address; copied. */
bool archive_reader_new(ArchiveReader **out, uv_loop_t *loop, const char *path,
                        Error *err) MUST_CHECK;

/* The question is lent until its on_read(). False: too many wait, and nothing comes of it. */
bool archive_reader_ask(ArchiveReader *reader, ArchiveQuestion *question) MUST_CHECK;

/* Nobody wants to know any more: its on_read() comes soon. From any callback of the loop, before
 * its on_read(). */
void archive_reader_drop(ArchiveReader *reader, ArchiveQuestion *question);

/* What is being read is given up within milliseconds. The memory goes then, after the answers to
 * all questions. NULL is fine. */
void archive_reader_close(ArchiveReader *reader);
