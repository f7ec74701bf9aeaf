/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - a thread pool: a fixed number of threads that run one job together and sleep in between.
 * The owner's thread calls pool_start() and pool_wait(); what it wrote before the start is visible
 * to the threads, and their writes to it after the wait. */
#pragma once
#include "engine/base/error.h"

typedef struct Pool Pool;

/* What each thread runs on every start. `thread` counts from 0. */
typedef void (*PoolJob)(void *context, int thread);

bool pool_new(Pool **out, int threads, PoolJob job, void *context, Error *err) MUST_CHECK;

/* Waits for a running job, then ends the threads. NULL is fine. */
void pool_free(Pool *pool);

/* Makes every thread run the job once. No thread may be in it, but for thread 0 when the rest of
 * its job touches nothing that is shared: it runs the next one afterwards. */
void pool_start(Pool *pool);

/* Returns when no thread runs the job. */
void pool_wait(Pool *pool);

/* Only from within the job of thread 0: returns when all the others have finished theirs. */
void pool_wait_for_others(Pool *pool);
