/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/priority.h"

#include "bot/child/child_launch.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

/* Search threads inherit the priority of the thread that makes them. So they are made by one that
 * lives just for that: our own could be lowered, but never raised again. */

typedef struct {
    Engine **engine;
    const EngineOptions *options;
    int niceness;
    bool ok;
    Error err;
} Job;

static void *run(void *argument)
{
    Job *job = argument;
    setpriority(PRIO_PROCESS, 0, job->niceness);
    if (*job->engine)
        job->ok = engine_set_options(*job->engine, job->options, &job->err);
    else
        job->ok = engine_new(job->engine, job->options, &job->err);
    return NULL;
}

bool priority_lower_engine(Engine **engine, const EngineOptions *options, Error *err)
{
    Job job = { .engine = engine, .options = options, .niceness = child_niceness() };
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, run, &job);
    if (failure) {
        error_set(err, ERR_MEMORY, "cannot start a thread: %s", strerror(failure));
        return false;
    }
    pthread_join(thread, NULL);
    if (!job.ok)
        error_set(err, job.err.code, "%s", job.err.text);
    return job.ok;
}
