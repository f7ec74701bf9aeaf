/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_job.h - one run on the archive's file, as archive.h's table has them: it opens, writes,
 * tidies or lets go. It may wait for the disk for long, so it runs on a thread of the pool, one at
 * a time; the job and its store belong to that thread meanwhile. Touches nothing else and logs
 * nothing: what came of it stands in the job. */
#pragma once
#include "bot/archive/archive_queue.h"
#include "bot/archive/facts.h"
#include "bot/archive/store.h"

typedef enum { JOB_NONE, JOB_OPEN, JOB_WRITE, JOB_TIDY, JOB_END } ArchiveJobKind;

typedef struct {
    ArchiveJobKind kind;
    Store *store;    /* NULL: it is not open. Afterwards the caller's again */
    bool may_expire; /* JOB_TIDY: facts that are past their time go */
    /* What came of it: */
    bool has_moved; /* the file; then nothing was done */
    Error failure;
    /* JOB_OPEN: with a store these are known, and without one they are not. */
    Facts facts;
    char skipped[FACT_KEY_SIZE]; /* of a fact that there was no room for; "": none */
    int64_t last_game;
    /* JOB_WRITE: */
    ArchiveQueue queue; /* to be written; afterwards what was not: all of it, or nothing */
    int64_t written;
    int refused; /* games and facts that the file will never take */
    Error refusal;
} ArchiveJob;

/* A job of this kind that takes the store over, with an empty queue. */
void archive_job_init(ArchiveJob *job, ArchiveJobKind kind, Store *store);

/* `path`, `stop` and `upgrade` are for JOB_OPEN (store_new_telling()), and lent. */
void archive_job_run(ArchiveJob *job, const char *path, const atomic_bool *stop,
                     const StoreUpgrade *upgrade);
