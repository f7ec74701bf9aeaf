/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - a thread pool: a fixed number of threads that run one job together and sleep in between.
 * The owner's thread calls pool_start() and pool_wait(); what it wrote before the start, the
 * threads see, and the other way round after the wait. */
#pragma once
#include "engine/base/error.h"

typedef struct Pool Pool;

/* What each thread runs on every start. `thread` counts from 0. */
typedef void (*PoolJob)(void *context, int thread);

bool pool_new(Pool **out, int threads, PoolJob job, void *context, Error *err) MUST_CHECK;

/* Waits for a running job, then ends the threads. NULL is fine. */
void pool_free(Pool *pool);

/* Lets every thread run the job once. None may be running, but for thread 0 where nothing of what
 * its job has left to do reads or writes what is shared: it runs the next one after that. */
void pool_start(Pool *pool);

/* Returns when no thread runs the job. */
void pool_wait(Pool *pool);

/* Only from within the job of thread 0: returns when all the others have finished theirs. */
void pool_wait_for_others(Pool *pool);
