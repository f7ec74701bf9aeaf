/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/pool.h"
#include "tests/unit.h"

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

static void every_thread_runs_every_job_once(void **state)
{
    (void)state;
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

static void free_waits_for_the_job(void **state)
{
    (void)state;
    Shared shared = { 0 };
    assert_true(pool_new(&shared.pool, 1, job, &shared, NULL));
    pool_start(shared.pool);
    pool_free(shared.pool);
    assert_int_equal(atomic_load(&shared.runs[0]), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_runs_every_job_once),
        cmocka_unit_test(free_waits_for_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
