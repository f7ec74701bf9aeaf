/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/pool.h"
#include "tests/support/unit.h"

#include <stdatomic.h>
#include <time.h>

enum { THREADS = 8 };

typedef struct {
    Pool *pool;
    atomic_int runs[THREADS];
    atomic_int done;
    int seen_by_first; /* `done` when the first thread had waited for the others */
    int written_before;
    atomic_int read_as;
} Shared;

static void job(void *context, int thread)
{
    Shared *shared = context;
    atomic_fetch_add(&shared->runs[thread], 1);
    atomic_store(&shared->read_as, shared->written_before);
    if (thread == 0) {
        pool_wait_for_others(shared->pool);
        shared->seen_by_first = atomic_load(&shared->done);
        return;
    }
    const struct timespec pause = { .tv_nsec = 1000000L * thread };
    nanosleep(&pause, NULL);
    atomic_fetch_add(&shared->done, 1);
}

TEST(every_thread_runs_every_job_once)
{
    enum { ROUNDS = 20 };
    Shared shared = { 0 };
    assert_true(pool_new(&shared.pool, THREADS, job, &shared, NULL));
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_store(&shared.done, 0);
        shared.written_before = round;
        pool_start(shared.pool);
        pool_wait(shared.pool);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(atomic_load(&shared.runs[i]), round);
        assert_int_equal(shared.seen_by_first, THREADS - 1);
        assert_int_equal(atomic_load(&shared.read_as), round);
    }
    pool_wait(shared.pool); /* nothing runs: returns at once */
    pool_free(shared.pool);
    pool_free(NULL);
}

typedef struct {
    Pool *pool;
    atomic_int begun, ended, others;
} Overlap;

/* The first thread says that all is done, and lingers. */
static void lingering_job(void *context, int thread)
{
    Overlap *overlap = context;
    const struct timespec pause = { .tv_nsec = 2000000L };
    if (thread != 0) {
        atomic_fetch_add(&overlap->others, 1);
        return;
    }
    pool_wait_for_others(overlap->pool);
    atomic_fetch_add(&overlap->begun, 1);
    nanosleep(&pause, NULL);
    atomic_fetch_add(&overlap->ended, 1);
}

TEST(a_round_may_begin_while_the_first_thread_leaves_the_last_one)
{
    enum { ROUNDS = 20 };
    Overlap overlap = { 0 };
    assert_true(pool_new(&overlap.pool, 3, lingering_job, &overlap, NULL));
    for (int round = 1; round <= ROUNDS; round++) {
        pool_start(overlap.pool);
        while (atomic_load(&overlap.begun) < round) {
            const struct timespec moment = { .tv_nsec = 50000L };
            nanosleep(&moment, NULL);
        }
    }
    pool_wait(overlap.pool);
    assert_int_equal(atomic_load(&overlap.ended), ROUNDS);
    assert_int_equal(atomic_load(&overlap.others), 2 * ROUNDS);
    pool_free(overlap.pool);
}

TEST(free_waits_for_the_job)
{
    Shared shared = { 0 };
    assert_true(pool_new(&shared.pool, 1, job, &shared, NULL));
    pool_start(shared.pool);
    pool_free(shared.pool);
    assert_int_equal(atomic_load(&shared.runs[0]), 1);
}
