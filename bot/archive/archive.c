/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive.h"

#include "bot/ops/timer.h"
#include "bot/archive/forwarder.h"
#include "bot/archive/replay.h"
#include "bot/archive/store.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    RETRY_MS = 60000,
    GAMES_WAITING_MAX = 256, /* some 20 KiB each at most */
    FACTS_WAITING_MAX = 1024,
};

/* Something to be written. */
typedef struct Entry {
    struct Entry *next;
    bool is_game;
    GameRecord game;
    char *key, *value; /* of a fact */
    int64_t expires_ms;
} Entry;

typedef struct {
    Entry *first, **last;
    int games, facts;
} Queue;

/* One run on the pool: the queue that it took over, and what came of it. While one is under way the
 * store is the job's. */
typedef struct {
    Queue queue;
    int64_t written;
    int refused; /* games and facts that the file will never take */
    Error refusal;
    Error failure;
    bool is_on_its_way; /* what is written goes on to a server, which has the results */
    bool has_results;   /* games were written, and so they are: */
    StatsRow results[AGAINST_COUNT];
} Job;

struct Archive {
    uv_loop_t *loop;
    Log *log;
    char *path; /* NULL: off */
    Store *store;
    Facts facts;
    BookStats book_stats;
    Queue queue;
    Job job;
    uv_work_t work;
    uv_timer_t timer;
    bool is_working, is_closing;
    int writing; /* games that the job began with */
    ArchiveState state;
    Error why;
    int64_t written, lost;
    bool has_results;
    StatsRow results[AGAINST_COUNT];
    /* With a server: */
    Forwarder *forwarder; /* NULL: none */
    char *address;
    Error server_why; /* why it does not take games */
    int64_t in_file;  /* games that wait for it, as far as is known */
    int64_t refused;  /* of these, as it was last told */
};

static void queue_init(Queue *queue)
{
    *queue = (Queue){ .last = &queue->first };
}

static void queue_put(Queue *queue, Entry *entry)
{
    entry->next = NULL;
    *queue->last = entry;
    queue->last = &entry->next;
    queue->games += entry->is_game;
    queue->facts += !entry->is_game;
}

static Entry *queue_take(Queue *queue)
{
    Entry *entry = queue->first;
    if (!entry)
        return NULL;
    queue->first = entry->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->games -= entry->is_game;
    queue->facts -= !entry->is_game;
    return entry;
}

/* All of `from` to the end of `to`. */
static void queue_append(Queue *to, Queue *from)
{
    for (Entry *entry = queue_take(from); entry; entry = queue_take(from))
        queue_put(to, entry);
}

static void entry_free(Entry *entry)
{
    if (!entry)
        return;
    record_release(&entry->game);
    free(entry->key);
    free(entry->value);
    free(entry);
}

static void queue_release(Queue *queue)
{
    for (Entry *entry = queue_take(queue); entry; entry = queue_take(queue))
        entry_free(entry);
}

/* The oldest game gives way; the facts before it keep their order behind. */
static void drop_oldest_game(Archive *archive)
{
    Queue kept;
    bool is_dropped = false;
    queue_init(&kept);
    for (Entry *entry = queue_take(&archive->queue); entry; entry = queue_take(&archive->queue)) {
        if (!is_dropped && entry->is_game) {
            is_dropped = true;
            entry_free(entry);
        } else {
            queue_put(&kept, entry);
        }
    }
    queue_append(&archive->queue, &kept);
    archive->lost += is_dropped;
}

/* What the file said. */

static void succeeded(Archive *archive)
{
    if (archive->state == ARCHIVE_FAILING)
        log_info(archive->log, "archive", "writable-again", FIELDS(F("file", archive->path)));
    archive->state = ARCHIVE_FINE;
    archive->why = (Error){ .code = ERR_NONE };
}

static void failed(Archive *archive, const Error *why)
{
    ArchiveState state = why->code == ERR_INVALID ? ARCHIVE_UNFIT : ARCHIVE_FAILING;
    if (archive->state != state)
        log_error(
            archive->log, "archive", "not-written",
            FIELDS(F("why", why->text),
                   F("next", state == ARCHIVE_UNFIT ? "left alone until the next start"
                                                    : "games go on, tried again every minute")));
    archive->state = state;
    archive->why = *why;
    if (state == ARCHIVE_UNFIT)
        queue_release(&archive->queue);
}

/* The job. */

static bool write_entry(Store *store, const Entry *entry, Error *err)
{
    return entry->is_game ? store_add_game(store, &entry->game, err)
                          : store_put_fact(store, entry->key, entry->value, entry->expires_ms, err);
}

/* False with the job's failure. */
static bool write_entries(Store *store, Job *job)
{
    for (const Entry *entry = job->queue.first; entry; entry = entry->next) {
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
static void write_batch(Store *store, Job *job)
{
    if (!store_begin_batch(store, &job->failure))
        return;
    if (write_entries(store, job)) {
        queue_release(&job->queue);
        return;
    }
    store_drop_batch(store);
    job->written = 0;
    job->refused = 0;
}

/* On a thread of the pool: touches the job, the store and the path, which are its own meanwhile. */
static void write_queue(uv_work_t *work)
{
    Archive *archive = work->data;
    Job *job = &archive->job;
    if (!archive->store && !store_new(&archive->store, archive->path, STORE_WRITE, &job->failure))
        return;
    write_batch(archive->store, job);
    job->has_results = !job->is_on_its_way && job->written > 0 &&
                       stats_read_kinds(archive->store, NULL, job->results, NULL);
}

static void begin_job(Archive *archive);

static void on_timer(uv_timer_t *timer)
{
    begin_job(timer->data);
}

static void on_timer_closed(uv_handle_t *handle)
{
    Archive *archive = handle->data;
    queue_release(&archive->queue);
    facts_release(&archive->facts);
    book_stats_release(&archive->book_stats);
    store_free(archive->store);
    free(archive->path);
    free(archive->address);
    free(archive);
}

static void let_go(Archive *archive)
{
    if (archive->queue.games > 0)
        log_error(archive->log, "archive", "lost",
                  FIELDS(F("games", archive->queue.games), F("why", archive->why.text)));
    uv_close((uv_handle_t *)&archive->timer, on_timer_closed);
}

static void on_written(uv_work_t *work, int status)
{
    Archive *archive = work->data;
    Job *job = &archive->job;
    (void)status; /* never cancelled */
    archive->is_working = false;
    archive->writing = 0;
    archive->written += job->written;
    /* What was not written comes before what came meanwhile. */
    queue_append(&job->queue, &archive->queue);
    queue_append(&archive->queue, &job->queue);
    if (job->refused > 0)
        log_error(archive->log, "archive", "refused",
                  FIELDS(F("rows", job->refused), F("why", job->refusal.text)));
    archive->lost += job->refused;
    bool is_written = job->failure.code == ERR_NONE;
    if (job->has_results) {
        memcpy(archive->results, job->results, sizeof archive->results);
        archive->has_results = true;
    }
    if (is_written)
        succeeded(archive);
    else
        failed(archive, &job->failure);
    if (archive->is_closing && (!is_written || !archive->queue.first)) {
        let_go(archive);
        return;
    }
    if (is_written && archive->forwarder && job->written > 0) {
        archive->in_file += job->written;
        forwarder_begin(archive->forwarder);
    }
    if (is_written)
        begin_job(archive);
    else if (archive->state == ARCHIVE_FAILING)
        uv_timer_start(&archive->timer, on_timer, RETRY_MS, 0);
}

static void begin_job(Archive *archive)
{
    if (archive->is_working || !archive->queue.first || archive->state == ARCHIVE_UNFIT)
        return;
    archive->job = (Job){ .is_on_its_way = archive->forwarder };
    queue_init(&archive->job.queue);
    queue_append(&archive->job.queue, &archive->queue);
    archive->work.data = archive;
    archive->is_working = true;
    archive->writing = archive->job.queue.games;
    int failure = uv_queue_work(archive->loop, &archive->work, write_queue, on_written);
    assert(failure == 0);
    (void)failure;
}

/* Queued things wait for the timer while the disk fails. */
static void queue_entry(Archive *archive, Entry *entry)
{
    if (!archive->path || archive->state == ARCHIVE_UNFIT || archive->is_closing) {
        entry_free(entry);
        return;
    }
    queue_put(&archive->queue, entry);
    if (archive->queue.games > GAMES_WAITING_MAX)
        drop_oldest_game(archive);
    if (archive->state != ARCHIVE_FAILING)
        begin_job(archive);
}

/* Who has no room for more plays on with what is known. */
static void learn(BookStats *book_stats, const GameRecord *record)
{
    BookStep steps[BOOK_STEPS_MAX];
    Results results = { 0 };
    size_t count = replay_book_steps(record, steps);
    if (record->winner != COLOUR_NONE)
        *(record->winner == record->us ? &results.won : &results.lost) = 1;
    else if (record_result(record->status, record->winner)[0] != '*')
        results.drawn = 1;
    else
        return;
    for (size_t i = 0; i < count; i++)
        if (!book_stats_add(book_stats, steps[i].key, steps[i].move, &results))
            return;
}

void archive_add_game(Archive *archive, const GameRecord *record)
{
    if (record->id[0] == '\0' || record->count == 0)
        return;
    learn(&archive->book_stats, record);
    Entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return;
    entry->is_game = true;
    if (!record_copy(&entry->game, record)) {
        log_error(archive->log, "archive", "lost",
                  FIELDS(F("id", record->id), F("why", "no memory")));
        entry_free(entry);
        return;
    }
    queue_entry(archive, entry);
}

void archive_remember(Archive *archive, FactKind kind, Text id, const char *value,
                      int64_t expires_ms)
{
    char key[FACT_KEY_SIZE];
    Error err = { 0 };
    if (!fact_key_write(key, kind, id) ||
        !facts_put(&archive->facts, key, value, expires_ms, &err)) {
        log_error(archive->log, "archive", "fact-lost",
                  FIELDS(F("kind", fact_prefix(kind)), F("of", id),
                         F("why", error_is_set(&err) ? err.text : "no key for a fact")));
        return;
    }
    if (archive->queue.facts >= FACTS_WAITING_MAX)
        return; /* the disk has failed for long; memory still has it */
    Entry *entry = calloc(1, sizeof *entry);
    if (entry) {
        record_init(&entry->game);
        entry->key = strdup(key);
        entry->value = strdup(value);
        entry->expires_ms = expires_ms;
    }
    if (!entry || !entry->key || !entry->value) {
        entry_free(entry);
        return;
    }
    queue_entry(archive, entry);
}

const char *archive_recall(const Archive *archive, FactKind kind, Text id)
{
    char key[FACT_KEY_SIZE];
    return fact_key_write(key, kind, id) ? facts_get(&archive->facts, key, clock_unix_ms()) : NULL;
}

void archive_each_fact(const Archive *archive, FactKind kind, ArchiveOnFact *on_fact, void *user)
{
    facts_each(&archive->facts, fact_prefix(kind), clock_unix_ms(), on_fact, user);
}

const BookStats *archive_book_stats(const Archive *archive)
{
    return &archive->book_stats;
}

const StatsRow *archive_results(const Archive *archive)
{
    return archive->has_results ? archive->results : NULL;
}

ArchiveStatus archive_status(const Archive *archive)
{
    bool server_fails = archive->state == ARCHIVE_FINE && error_is_set(&archive->server_why);
    return (ArchiveStatus){
        .state = server_fails ? ARCHIVE_FAILING : archive->state,
        .path = archive->address ? archive->address
                : archive->path  ? archive->path
                                 : "",
        .why = server_fails ? archive->server_why.text : archive->why.text,
        .waiting = archive->queue.games + archive->writing + archive->in_file,
        .written = archive->written,
        .lost = archive->lost,
        .is_shared = archive->address != NULL,
    };
}

static void on_fact(void *user, const char *key, const char *value, int64_t expires_ms)
{
    Archive *archive = user;
    if (!facts_put(&archive->facts, key, value, expires_ms, NULL))
        log_warning(archive->log, "archive", "fact-skipped", FIELDS(F("key", key)));
}

static void on_upgrade(void *user, int schema, int64_t games)
{
    const Archive *archive = user;
    log_info(archive->log, "archive", "upgrading",
             FIELDS(F("file", archive->path), F("schema", schema), F("wanted", STORE_SCHEMA),
                    F("games", games)));
}

static void open_store(Archive *archive)
{
    Error err = { 0 };
    const StoreUpgrade upgrade = { .on_step = on_upgrade, .user = archive };
    archive->state = ARCHIVE_FINE;
    if (store_new_telling(&archive->store, archive->path, &upgrade, &err) &&
        store_read_facts(archive->store, clock_unix_ms(), on_fact, archive, &err) &&
        store_read_book_stats(archive->store, NULL, &archive->book_stats, &err) &&
        stats_read_kinds(archive->store, NULL, archive->results, &err)) {
        archive->has_results = true;
        log_info(archive->log, "archive", "open",
                 FIELDS(F("file", archive->path), F("facts", archive->facts.count),
                        F("book_moves", archive->book_stats.count)));
        return;
    }
    failed(archive, &err);
    if (archive->state == ARCHIVE_FAILING)
        uv_timer_start(&archive->timer, on_timer, RETRY_MS, 0);
}

bool archive_new(Archive **out, uv_loop_t *loop, const char *path, Log *log, Error *err)
{
    Archive *archive = calloc(1, sizeof *archive);
    if (!archive || (path && !(archive->path = strdup(path)))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(archive);
        return false;
    }
    archive->loop = loop;
    archive->log = log;
    facts_init(&archive->facts);
    book_stats_init(&archive->book_stats);
    queue_init(&archive->queue);
    timer_init(loop, &archive->timer, archive);
    if (path)
        open_store(archive);
    *out = archive;
    return true;
}

/* The server. */

/* What it knows of our books' moves comes on top of what the file said. */
static void learn_all(BookStats *book_stats, const BookStats *more)
{
    for (size_t i = 0; i < more->capacity; i++) {
        const BookMoveStats *slot = &more->slots[i];
        if (slot->move != MOVE_NONE &&
            !book_stats_add(book_stats, slot->key, slot->move, &slot->results))
            return; /* full */
    }
}

static void log_report(Archive *archive, const ForwarderReport *report)
{
    bool was_fine = !error_is_set(&archive->server_why), is_fine = !error_is_set(&report->why);
    if (report->refused > archive->refused)
        log_error(archive->log, "archive", "not-taken",
                  FIELDS(F("games", report->refused), F("why", report->refusal.text),
                         F("next", "they stay in the file")));
    if (is_fine && (!was_fine || report->moved > 0))
        log_info(archive->log, "archive", "forwarded",
                 FIELDS(F("server", archive->address), F("games", report->moved)));
    if (!is_fine && was_fine)
        log_error(archive->log, "archive", "not-forwarded",
                  FIELDS(F("why", report->why.text),
                         F("next", "games go on and wait in the file, tried again")));
}

static void on_report(void *user, const ForwarderReport *report)
{
    Archive *archive = user;
    log_report(archive, report);
    archive->server_why = report->why;
    archive->refused = report->refused;
    if (report->waiting >= 0)
        archive->in_file = report->waiting;
    if (report->book_stats)
        learn_all(&archive->book_stats, report->book_stats);
    if (report->has_results) {
        memcpy(archive->results, report->results, sizeof archive->results);
        archive->has_results = true;
    }
}

bool archive_forward(Archive *archive, const char *address, Error *err)
{
    assert(archive->path && !archive->forwarder);
    archive->address = strdup(address);
    if (!archive->address) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    archive->has_results = false; /* those of the file are not all */
    return forwarder_new(&archive->forwarder, archive->loop, archive->path, address, on_report,
                         archive, err);
}

void archive_set_account(Archive *archive, const char *account)
{
    if (archive->forwarder)
        forwarder_set_account(archive->forwarder, account);
}

void archive_close(Archive *archive)
{
    if (!archive)
        return;
    forwarder_close(archive->forwarder);
    archive->forwarder = NULL;
    archive->is_closing = true;
    if (archive->is_working)
        return; /* on_written() goes on */
    begin_job(archive);
    if (!archive->is_working)
        let_go(archive);
}
