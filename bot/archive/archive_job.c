/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive_job.h"

#include "engine/base/clock.h"
#include "engine/base/text_format.h"

static bool write_entry(Store *store, const ArchiveEntry *entry, Error *err)
{
    return entry->is_game ? store_add_game(store, &entry->game, err)
                          : store_put_fact(store, entry->key, entry->value, entry->expires_ms, err);
}

/* False with the job's failure. */
static bool write_entries(Store *store, ArchiveJob *job)
{
    for (const ArchiveEntry *entry = job->queue.first; entry; entry = entry->next) {
        Error err = { 0 };
        if (write_entry(store, entry, &err)) {
            job->written += entry->is_game;
        } else if (err.code == ERR_RANGE) {
            job->refused++;
            job->refusal = err;
        } else {
            job->failure = err;
            return false;
        }
    }
    return store_end_batch(store, &job->failure);
}

/* All that is queued costs one wait for the disk. After a failure nothing of it is in the file, and
 * all of it stays queued. */
static void write_batch(Store *store, ArchiveJob *job)
{
    if (!store_begin_batch(store, &job->failure))
        return;
    if (write_entries(store, job)) {
        archive_queue_release(&job->queue);
        return;
    }
    store_drop_batch(store);
    job->written = 0;
    job->refused = 0;
}

static void archive_job_on_stored_fact(void *user, const char *key, const char *value,
                                       int64_t expires_ms)
{
    ArchiveJob *job = user;
    if (!facts_put(&job->facts, key, value, expires_ms, NULL)) {
        text_format_cut(job->skipped, sizeof job->skipped, "%s", key);
    }
}

/* What stands in the "-wal" beside the file goes into the file itself: if that has another name by
 * now, nobody would look there. */
static void leave(ArchiveJob *job)
{
    if (job->store)
        store_checkpoint(job->store);
    store_free(job->store);
    job->store = NULL;
}

/* Opens and reads everything. */
static void open_and_read(ArchiveJob *job, const char *path, const atomic_bool *stop,
                          const StoreUpgrade *upgrade)
{
    leave(job);
    facts_init(&job->facts);
    if (store_new_telling(&job->store, path, stop, upgrade, &job->failure) &&
        store_last_game(job->store, &job->last_game, &job->failure) &&
        store_read_facts(job->store, archive_job_on_stored_fact, job, &job->failure))
        return;
    facts_release(&job->facts);
    store_free(job->store);
    job->store = NULL;
}

/* Another time is as good where somebody is in the way. */
static void tidy(ArchiveJob *job)
{
    if (!job->may_expire || store_expire_facts(job->store, clock_unix_ms(), NULL))
        store_checkpoint(job->store);
}

void archive_job_init(ArchiveJob *job, ArchiveJobKind kind, Store *store)
{
    *job = (ArchiveJob){ .kind = kind, .store = store };
    archive_queue_init(&job->queue);
}

void archive_job_run(ArchiveJob *job, const char *path, const atomic_bool *stop,
                     const StoreUpgrade *upgrade)
{
    bool writes = job->kind == JOB_WRITE || job->kind == JOB_TIDY;
    job->has_moved = writes && store_has_moved(job->store);
    if (job->has_moved)
        return;
    switch (job->kind) {
    case JOB_NONE:
        break;
    case JOB_OPEN:
        open_and_read(job, path, stop, upgrade);
        break;
    case JOB_WRITE:
        write_batch(job->store, job);
        break;
    case JOB_TIDY:
        tidy(job);
        break;
    case JOB_END:
        leave(job);
        break;
    }
}
