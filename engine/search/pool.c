/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A recursion of the search takes some 6 KiB of stack and there may be two for each ply. */
enum { STACK_BYTES = 8 << 20 };

typedef struct {
    Pool *pool;
    int index;
    pthread_t thread;
} Member;

struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* of the fields below */
    uint64_t round;         /* starts so far */
    int running;            /* rounds of threads that are not finished */
    bool quitting;

    PoolJob job;
    void *context;
    int started; /* threads that exist */
    Member members[];
};

static void *member_run(void *argument)
{
    const Member *member = argument;
    Pool *pool = member->pool;
    uint64_t done = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == done && !pool->quitting)
            pthread_cond_wait(&pool->changed, &pool->lock);
        if (pool->round == done)
            break;
        done = pool->round;
        pthread_mutex_unlock(&pool->lock);
        pool->job(pool->context, member->index);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_members(Pool *pool, int threads, Error *err)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failure = 0;
    for (int i = 0; i < threads && !failure; i++) {
        pool->members[i].pool = pool;
        pool->members[i].index = i;
        failure =
            pthread_create(&pool->members[i].thread, &attributes, member_run, &pool->members[i]);
        pool->started += !failure;
    }
    pthread_attr_destroy(&attributes);
    if (failure)
        error_set(err, ERR_MEMORY, "cannot start search thread %d of %d: %s", pool->started + 1,
                  threads, strerror(failure));
    return !failure;
}

bool pool_new(Pool **out, int threads, PoolJob job, void *context, Error *err)
{
    Pool *pool = calloc(1, sizeof *pool + (size_t)threads * sizeof *pool->members);
    if (!pool) {
        error_set(err, ERR_MEMORY, "no memory for %d threads", threads);
        return false;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->job = job;
    pool->context = context;
    if (!start_members(pool, threads, err)) {
        pool_free(pool);
        return false;
    }
    *out = pool;
    return true;
}

void pool_free(Pool *pool)
{
    if (!pool)
        return;
    pool_wait(pool);
    pthread_mutex_lock(&pool->lock);
    pool->quitting = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->members[i].thread, NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pool_start(Pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->round++;
    pool->running += pool->started;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void wait_until(Pool *pool, int running)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->running > running)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void pool_wait(Pool *pool)
{
    wait_until(pool, 0);
}

void pool_wait_for_others(Pool *pool)
{
    wait_until(pool, 1);
}
