/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive.h"

#include "bot/ops/timer.h"
#include "bot/archive/archive_job.h"
#include "bot/archive/archive_reader.h"
#include "bot/archive/forwarder.h"
#include "bot/review/replay.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    RETRY_FIRST_MS = 1000,   /* after a failure; twice as long after each more, */
    RETRY_MOST_MS = 60000,   /* up to this */
    TIDY_MS = 3000,          /* after the last write */
    GAMES_WAITING_MAX = 256, /* some 20 KiB each at most */
    FACTS_WAITING_MAX = 1024,
};

/* What takes long to read. It outlives an archive that closes meanwhile. */
typedef struct {
    ArchiveQuestion question; /* the first member */
    Archive *archive;         /* NULL: it has closed */
    bool wants_results, wants_books;
    int64_t last_game; /* what was added later is known from its end */
    BookStats books;
    StatsRow results[AGAINST_COUNT];
} Statistics;

struct Archive {
    uv_loop_t *loop;
    Log *log;
    char *path;   /* NULL: off */
    Store *store; /* NULL: not open, or a job's */
    Facts facts;
    bool has_stored_facts; /* the file's are among them */
    ArchiveOnFacts *on_facts;
    void *user;
    BookStats book_stats;
    ArchiveQueue queue;
    ArchiveJob job;
    uv_work_t work;
    bool is_working, is_closing;
    bool trusts_clock;
    bool is_waiting;  /* for the timer, after a failure */
    bool is_untidy;   /* something was written, */
    bool wants_tidy;  /* and none for a while */
    bool gives_up;    /* the last job has failed: who closes gives up what is queued */
    bool must_reopen; /* what is open has moved */
    atomic_bool stop; /* what opens the file, and reads it */
    int64_t retry_ms; /* 0: all was well */
    uv_timer_t timer;
    uv_async_t upgrade; /* told by a job that opens; what it last told: */
    atomic_int upgrade_schema;
    atomic_llong upgrade_games;
    int handles; /* to be closed */
    int writing; /* games that the job began with */
    ArchiveState state;
    Error why;
    int64_t written, lost;
    ArchiveReader *reader;
    Statistics *asked;        /* NULL: nothing is asked */
    bool wants_results_again; /* there are more since it was asked */
    bool has_books;           /* the file's are in book_stats */
    int64_t last_game;        /* in the file, when it was opened */
    bool has_results;
    StatsRow results[AGAINST_COUNT];
    /* With a server: */
    Forwarder *forwarder; /* NULL: none */
    char *address;
    Error server_why; /* why it does not take games */
    int64_t in_file;  /* games that wait for it, as far as is known */
    int64_t refused;  /* of these, as it was last told */
};

/* What the file said. */

static void succeeded(Archive *archive)
{
    if (archive->state == ARCHIVE_FAILING)
        log_info(archive->log, "archive", "writable-again", FIELDS(F("file", archive->path)));
    archive->state = ARCHIVE_FINE;
    archive->why = (Error){ .code = ERR_NONE };
    archive->retry_ms = 0;
}

static void archive_on_timer(uv_timer_t *timer);

static void failed(Archive *archive, const Error *why)
{
    ArchiveState state = why->code == ERR_INVALID ? ARCHIVE_UNFIT : ARCHIVE_FAILING;
    if (archive->state != state)
        log_error(archive->log, "archive", "not-written",
                  FIELDS(F("why", why->text),
                         F("next", state == ARCHIVE_UNFIT ? "left alone until the next start"
                                                          : "games go on, tried again and again")));
    archive->state = state;
    archive->why = *why;
    if (state == ARCHIVE_UNFIT) {
        archive_queue_release(&archive->queue);
        return;
    }
    archive->is_waiting = true;
    archive->retry_ms = archive->retry_ms == 0 ? RETRY_FIRST_MS : 2 * archive->retry_ms;
    if (archive->retry_ms > RETRY_MOST_MS)
        archive->retry_ms = RETRY_MOST_MS;
    uv_timer_start(&archive->timer, archive_on_timer, (uint64_t)archive->retry_ms, 0);
}

/* The job, on a thread of the pool. */

static void archive_on_upgrade(void *user, int schema, int64_t games)
{
    Archive *archive = user;
    atomic_store(&archive->upgrade_schema, schema);
    atomic_store(&archive->upgrade_games, games);
    uv_async_send(&archive->upgrade);
}

static void run_job(uv_work_t *work)
{
    Archive *archive = work->data;
    const StoreUpgrade upgrade = { .on_step = archive_on_upgrade, .user = archive };
    archive_job_run(&archive->job, archive->path, &archive->stop, &upgrade);
}

/* What takes long. */

static bool read_statistics(ArchiveQuestion *question, Store *store, Error *err)
{
    Statistics *asked = (Statistics *)(void *)question;
    return (!asked->wants_results || stats_read_kinds(store, NULL, asked->results, err)) &&
           (!asked->wants_books ||
            store_read_book_stats(store, NULL, asked->last_game, &asked->books, err));
}

/* What `more` knows of books' moves comes on top. Who has no room for more plays on with what is
 * known. */
static void learn_all(BookStats *book_stats, const BookStats *more)
{
    for (size_t i = 0; i < more->capacity; i++) {
        const BookMoveStats *slot = &more->slots[i];
        if (slot->move != MOVE_NONE &&
            !book_stats_add(book_stats, slot->key, slot->move, &slot->results))
            return;
    }
}

static void take_results(Archive *archive, const StatsRow results[AGAINST_COUNT])
{
    memcpy(archive->results, results, sizeof archive->results);
    archive->has_results = true;
}

static void ask_statistics(Archive *archive);

static void take_statistics(Archive *archive, const Statistics *asked)
{
    if (asked->wants_results && !archive->address)
        take_results(archive, asked->results);
    if (!asked->wants_books)
        return;
    learn_all(&archive->book_stats, &asked->books);
    archive->has_books = true;
    log_info(archive->log, "archive", "books-read",
             FIELDS(F("book_moves", archive->book_stats.count)));
}

/* What can't be read now is asked for again after the next write. */
static void archive_on_statistics(ArchiveQuestion *question, const Error *why)
{
    Statistics *asked = (Statistics *)(void *)question;
    Archive *archive = asked->archive;
    if (archive) {
        archive->asked = NULL;
        if (!error_is_set(why))
            take_statistics(archive, asked);
        if (archive->wants_results_again)
            ask_statistics(archive);
    }
    book_stats_release(&asked->books);
    free(asked);
}

static void ask_statistics(Archive *archive)
{
    archive->wants_results_again = archive->asked;
    bool wants_results = !archive->address;
    if (archive->asked || archive->is_closing || (archive->has_books && !wants_results))
        return;
    Statistics *asked = calloc(1, sizeof *asked);
    if (!asked)
        return;
    asked->question =
        (ArchiveQuestion){ .read = read_statistics, .on_read = archive_on_statistics };
    asked->archive = archive;
    asked->wants_results = wants_results;
    asked->wants_books = !archive->has_books;
    asked->last_game = archive->last_game;
    book_stats_init(&asked->books);
    if (archive_reader_ask(archive->reader, &asked->question))
        archive->asked = asked;
    else
        free(asked);
}

/* What came of a job. */

static void begin_job(Archive *archive);

static void archive_on_timer(uv_timer_t *timer)
{
    Archive *archive = timer->data;
    archive->is_waiting = false;
    archive->wants_tidy = archive->is_untidy;
    begin_job(archive);
}

static void archive_on_closed(uv_handle_t *handle)
{
    Archive *archive = handle->data;
    if (--archive->handles > 0)
        return;
    archive_queue_release(&archive->queue);
    facts_release(&archive->facts);
    book_stats_release(&archive->book_stats);
    free(archive->path);
    free(archive->address);
    free(archive);
}

static void let_go(Archive *archive)
{
    assert(!archive->store);
    if (archive->queue.games > 0)
        log_error(archive->log, "archive", "lost",
                  FIELDS(F("games", archive->queue.games), F("why", archive->why.text)));
    uv_close((uv_handle_t *)&archive->timer, archive_on_closed);
    uv_close((uv_handle_t *)&archive->upgrade, archive_on_closed);
}

static void queue_fact(Archive *archive, const char *key, const char *value, int64_t expires_ms);

/* Another file has none of them. */
static void queue_all_facts(Archive *archive)
{
    for (size_t i = 0; i < archive->facts.count; i++) {
        const Fact *fact = &archive->facts.list[i];
        queue_fact(archive, fact->key, fact->value, fact->expires_ms);
    }
}

/* None outlives what its kind allows: a clock that was a year ahead would have a limit of a minute
 * last for a year. */
static void limit_life(Fact *fact, int64_t now_ms)
{
    int64_t most_ms = now_ms + fact_life_most_ms(fact_kind_of(fact->key));
    fact->expires_ms = int64_min(fact->expires_ms, most_ms);
}

/* Those of the file that nobody has remembered anew. */
static void take_facts(Archive *archive, Facts *stored)
{
    int64_t now_ms = clock_unix_ms();
    for (size_t i = 0; i < stored->count; i++) {
        Fact *fact = &stored->list[i];
        limit_life(fact, now_ms);
        if (!facts_has(&archive->facts, fact->key) &&
            !facts_put(&archive->facts, fact->key, fact->value, fact->expires_ms, NULL))
            log_warning(archive->log, "archive", "fact-skipped", FIELDS(F("key", fact->key)));
    }
    if (archive->on_facts && !archive->has_stored_facts)
        archive->on_facts(archive->user, stored);
    archive->has_stored_facts = true;
    facts_release(stored);
}

static void opened(Archive *archive, ArchiveJob *job)
{
    bool is_first = !archive->has_stored_facts;
    log_info(archive->log, "archive", "open",
             FIELDS(F("file", archive->path), F("facts", job->facts.count)));
    if (job->skipped[0] != '\0')
        log_warning(archive->log, "archive", "fact-skipped", FIELDS(F("key", job->skipped)));
    if (is_first)
        archive->last_game = job->last_game;
    take_facts(archive, &job->facts);
    ask_statistics(archive);
}

static void wrote(Archive *archive, ArchiveJob *job)
{
    archive->writing = 0;
    archive->written += job->written;
    /* What was not written comes before what came meanwhile. */
    archive_queue_append(&job->queue, &archive->queue);
    archive_queue_append(&archive->queue, &job->queue);
    if (job->refused > 0)
        log_error(archive->log, "archive", "refused",
                  FIELDS(F("rows", job->refused), F("why", job->refusal.text)));
    archive->lost += job->refused;
    if (job->written == 0)
        return;
    ask_statistics(archive);
    if (archive->forwarder) {
        archive->in_file += job->written;
        forwarder_begin(archive->forwarder);
    }
}

static void take_result(Archive *archive, ArchiveJob *job)
{
    bool ok = job->failure.code == ERR_NONE;
    if (job->kind == JOB_WRITE)
        wrote(archive, job);
    if (ok)
        succeeded(archive);
    else
        failed(archive, &job->failure);
    if (ok && job->kind == JOB_OPEN)
        opened(archive, job);
    archive->is_untidy = ok ? job->kind == JOB_WRITE : archive->is_untidy;
    if (ok && archive->is_untidy)
        uv_timer_start(&archive->timer, archive_on_timer, TIDY_MS, 0);
    archive->gives_up = !ok;
}

/* The next job, which opens what stands under the name by now, leaves it. */
static void note_move(Archive *archive, ArchiveJob *job)
{
    log_warning(archive->log, "archive", "moved",
                FIELDS(F("file", archive->path), F("why", "it was renamed, replaced or removed"),
                       F("next", "goes on with what stands there, or with a new one")));
    if (job->kind == JOB_WRITE) {
        archive->writing = 0;
        archive_queue_append(&job->queue, &archive->queue);
        archive_queue_append(&archive->queue, &job->queue);
    }
    archive->must_reopen = true;
    queue_all_facts(archive);
}

static void archive_on_job_done(uv_work_t *work, int status)
{
    Archive *archive = work->data;
    ArchiveJob *job = &archive->job;
    (void)status; /* never cancelled */
    archive->is_working = false;
    archive->wants_tidy = false;
    archive->store = job->store;
    atomic_store(&archive->stop, false);
    if (job->has_moved)
        note_move(archive, job);
    else if (job->kind != JOB_END)
        take_result(archive, job);
    begin_job(archive);
    if (archive->is_closing && !archive->is_working)
        let_go(archive);
}

/* What is to be done next. Who closes does not wait, and gives up what a job could not do. */
static ArchiveJobKind next_job(const Archive *archive)
{
    bool is_ending = archive->is_closing && archive->store;
    if (archive->state == ARCHIVE_UNFIT || (archive->is_closing && archive->gives_up))
        return is_ending ? JOB_END : JOB_NONE;
    if (archive->is_waiting && !archive->is_closing)
        return JOB_NONE;
    if (archive->is_closing && !archive->queue.first)
        return is_ending ? JOB_END : JOB_NONE;
    if (archive->must_reopen || !archive->store)
        return JOB_OPEN;
    return archive->queue.first ? JOB_WRITE : archive->wants_tidy ? JOB_TIDY : JOB_NONE;
}

static void begin_job(Archive *archive)
{
    ArchiveJobKind kind = archive->is_working || !archive->path ? JOB_NONE : next_job(archive);
    if (kind == JOB_NONE)
        return;
    archive_job_init(&archive->job, kind, archive->store);
    archive->job.may_expire = archive->trusts_clock;
    archive->store = NULL;
    if (kind == JOB_WRITE)
        archive_queue_append(&archive->job.queue, &archive->queue);
    if (kind == JOB_OPEN)
        archive->must_reopen = false;
    archive->work.data = archive;
    archive->is_working = true;
    archive->writing = archive->job.queue.games;
    int failure = uv_queue_work(archive->loop, &archive->work, run_job, archive_on_job_done);
    assert(failure == 0);
    (void)failure;
}

void archive_trust_clock(Archive *archive, bool is_right)
{
    archive->trusts_clock = is_right;
}

static void queue_entry(Archive *archive, ArchiveEntry *entry)
{
    if (!archive->path || archive->state == ARCHIVE_UNFIT || archive->is_closing) {
        archive_entry_free(entry);
        return;
    }
    archive_queue_put(&archive->queue, entry);
    if (archive->queue.games > GAMES_WAITING_MAX)
        archive->lost += archive_queue_drop_oldest_game(&archive->queue);
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
    ArchiveEntry *entry = archive_entry_of_game(record);
    if (!entry) {
        log_error(archive->log, "archive", "lost",
                  FIELDS(F("id", record->id), F("why", "no memory")));
        return;
    }
    queue_entry(archive, entry);
}

static void queue_fact(Archive *archive, const char *key, const char *value, int64_t expires_ms)
{
    ArchiveEntry *entry = archive_entry_of_fact(key, value, expires_ms);
    if (entry)
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
    if (archive->queue.facts < FACTS_WAITING_MAX) /* else the disk has failed for long */
        queue_fact(archive, key, value, expires_ms);
}

const char *archive_recall(const Archive *archive, FactKind kind, Text id)
{
    char key[FACT_KEY_SIZE];
    return fact_key_write(key, kind, id) ? facts_get(&archive->facts, key, clock_unix_ms()) : NULL;
}

const Facts *archive_facts(const Archive *archive)
{
    return &archive->facts;
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

static void log_upgrade(uv_async_t *upgrade)
{
    const Archive *archive = upgrade->data;
    log_info(archive->log, "archive", "upgrading",
             FIELDS(F("file", archive->path), F("schema", atomic_load(&archive->upgrade_schema)),
                    F("wanted", STORE_SCHEMA), F("games", atomic_load(&archive->upgrade_games))));
}

bool archive_new(Archive **out, uv_loop_t *loop, const char *path, Log *log, Error *err)
{
    Archive *archive = calloc(1, sizeof *archive);
    if (!archive || (path && !(archive->path = strdup(path))) ||
        uv_async_init(loop, &archive->upgrade, log_upgrade) != 0) {
        error_set(err, ERR_MEMORY, "no memory for the archive");
        free(archive ? archive->path : NULL);
        free(archive);
        return false;
    }
    archive->upgrade.data = archive;
    uv_unref((uv_handle_t *)&archive->upgrade);
    archive->handles = 2;
    archive->loop = loop;
    archive->log = log;
    facts_init(&archive->facts);
    book_stats_init(&archive->book_stats);
    archive_queue_init(&archive->queue);
    timer_init(loop, &archive->timer, archive);
    if (path && !archive_reader_new(&archive->reader, loop, path, err)) {
        archive_close(archive);
        return false;
    }
    archive->state = path ? ARCHIVE_OPENING : ARCHIVE_OFF;
    begin_job(archive);
    *out = archive;
    return true;
}

static void archive_on_awaited(uv_timer_t *timer)
{
    (void)timer; /* the loop has turned, and that is all */
}

void archive_await_facts(Archive *archive, int64_t most_ms, const bool *is_given_up)
{
    int64_t until_ms = clock_now_ms() + most_ms;
    uv_timer_start(&archive->timer, archive_on_awaited, (uint64_t)most_ms, 0);
    while (archive->state == ARCHIVE_OPENING && clock_now_ms() < until_ms && !*is_given_up)
        uv_run(archive->loop, UV_RUN_ONCE);
    if (archive->state != ARCHIVE_FAILING) /* which has a use for it */
        uv_timer_stop(&archive->timer);
}

void archive_on_facts(Archive *archive, ArchiveOnFacts *on_facts, void *user)
{
    archive->on_facts = on_facts;
    archive->user = user;
}

/* The server. */

static void log_result(Archive *archive, const ForwarderResult *result)
{
    bool was_fine = !error_is_set(&archive->server_why), is_fine = !error_is_set(&result->why);
    if (result->refused > archive->refused)
        log_error(archive->log, "archive", "not-taken",
                  FIELDS(F("games", result->refused), F("why", result->refusal.text),
                         F("next", "they stay in the file")));
    if (is_fine && (!was_fine || result->moved > 0))
        log_info(archive->log, "archive", "forwarded",
                 FIELDS(F("server", archive->address), F("games", result->moved)));
    if (!is_fine && was_fine)
        log_error(archive->log, "archive", "not-forwarded",
                  FIELDS(F("why", result->why.text),
                         F("next", "games go on and wait in the file, tried again")));
}

static void archive_on_result(void *user, const ForwarderResult *result)
{
    Archive *archive = user;
    log_result(archive, result);
    archive->server_why = result->why;
    archive->refused = result->refused;
    if (result->waiting >= 0)
        archive->in_file = result->waiting;
    if (result->book_stats)
        learn_all(&archive->book_stats, result->book_stats);
    if (result->has_results)
        take_results(archive, result->results);
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
    return forwarder_new(&archive->forwarder, archive->loop, archive->path, address,
                         archive_on_result, archive, err);
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
    archive_reader_close(archive->reader);
    archive->reader = NULL;
    if (archive->asked)
        archive->asked->archive = NULL;
    archive->asked = NULL;
    if (archive->is_working) {
        bool is_opening = archive->job.kind == JOB_OPEN && archive->queue.games == 0;
        atomic_store(&archive->stop, is_opening);
        return; /* on_job_done() goes on */
    }
    archive->gives_up = false;
    begin_job(archive);
    if (!archive->is_working)
        let_go(archive);
}
