/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/forwarder.h"

#include "bot/archive/store_analysis.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 50,        /* games in memory, and in one transaction */
    REFUSED_MAX = 200, /* that are remembered */
    REFUSED_MS = 3600 * 1000,
};

/* Games that the server would not take as they are, and why one of them: asking again after each
 * game that ends would change nothing. */
typedef struct {
    char ids[REFUSED_MAX][GAME_ID_SIZE];
    size_t count;
    int64_t until_ms; /* when they are asked for again */
    Error why;
} Refused;

struct Forwarder {
    uv_loop_t *loop;
    char *file, *address;
    ForwarderOnResult *on_result;
    void *user;
    uv_work_t work;
    uv_timer_t timer;
    bool is_working, is_wanted_again, is_closing;
    bool has_book_stats; /* was told */
    char account[RECORD_NAME_SIZE];
    atomic_bool stop;
    /* The job's while it runs: */
    bool reads_book_stats, has_read_them;
    BookStats book_stats;
    ForwarderResult result;
    Refused refused;
};

typedef struct {
    GameRecord games[BATCH];
    bool is_taken[BATCH];
    size_t count;
    bool is_short; /* of memory */
} Batch;

static void forwarder_on_game(void *user, const GameRecord *record, int plies)
{
    Batch *batch = user;
    (void)plies;
    if (record_copy(&batch->games[batch->count], record))
        batch->count++;
    else
        batch->is_short = true;
}

static void batch_free(Batch *batch)
{
    for (size_t i = 0; batch && i < batch->count; i++)
        record_release(&batch->games[i]);
    free(batch);
}

static bool copy_analysis(Store *from, Store *to, const GameRecord *game, Error *err)
{
    int64_t nodes = 0;
    PositionEval *evals = calloc(game->count + 1, sizeof *evals);
    if (!evals) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    bool ok = store_read_analysis(from, game, evals, &nodes, err) &&
              (nodes == 0 || store_put_analysis(to, game, evals, nodes, err));
    free(evals);
    return ok;
}

static bool was_refused(const Refused *refused, const GameRecord *game)
{
    for (size_t i = 0; i < refused->count; i++)
        if (strcmp(refused->ids[i], game->id) == 0)
            return true;
    return false;
}

static void note_refusal(Refused *refused, const GameRecord *game, const Error *why)
{
    if (refused->count == REFUSED_MAX || was_refused(refused, game))
        return;
    if (refused->count == 0)
        refused->until_ms = clock_now_ms() + REFUSED_MS;
    memcpy(refused->ids[refused->count++], game->id, GAME_ID_SIZE);
    refused->why = *why;
}

/* False, with the cause, as the server has not got it. */
static bool copy_game(Forwarder *forwarder, Store *from, Store *to, const GameRecord *game,
                      Error *err)
{
    if (was_refused(&forwarder->refused, game)) {
        *err = forwarder->refused.why;
        return false;
    }
    if (store_add_game(to, game, err) && copy_analysis(from, to, game, err))
        return true;
    if (err->code == ERR_RANGE)
        note_refusal(&forwarder->refused, game, err);
    return false;
}

/* What the server has it may be told again. What it will not take stays in the file, and holds up
 * no other. */
static bool copy_games(Forwarder *forwarder, Store *from, Store *to, Batch *batch)
{
    ForwarderResult *result = &forwarder->result;
    for (size_t i = 0; i < batch->count; i++) {
        Error err = { 0 };
        batch->is_taken[i] = copy_game(forwarder, from, to, &batch->games[i], &err);
        if (!batch->is_taken[i] && err.code != ERR_RANGE) {
            result->why = err;
            return false;
        }
        if (!batch->is_taken[i]) {
            result->refused++;
            result->refusal = err;
        }
    }
    return true;
}

static bool drop_games(Store *from, const Batch *batch, Error *err)
{
    for (size_t i = 0; i < batch->count; i++)
        if (batch->is_taken[i] && !store_drop_game(from, &batch->games[i], err))
            return false;
    return true;
}

static bool move_games(Forwarder *forwarder, Store *from, Store *to, Batch *batch)
{
    ForwarderResult *result = &forwarder->result;
    if (!store_begin_batch(to, &result->why))
        return false;
    if (!copy_games(forwarder, from, to, batch) || !store_end_batch(to, &result->why)) {
        store_drop_batch(to);
        return false;
    }
    for (size_t i = 0; i < batch->count; i++)
        result->moved += batch->is_taken[i];
    if (!store_begin_batch(from, &result->why))
        return false;
    if (drop_games(from, batch, &result->why) && store_end_batch(from, &result->why))
        return true;
    store_drop_batch(from);
    return false;
}

/* *count: how many there were. */
static bool move_batch(Forwarder *forwarder, Store *from, Store *to, size_t *count)
{
    const StoreFilter filter = { .limit = BATCH, .skip = forwarder->result.refused };
    Error *why = &forwarder->result.why;
    Batch *batch = alloc_zeroed(sizeof *batch, "games to be moved", why);
    bool ok = batch && store_find_games(from, &filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST,
                                        forwarder_on_game, batch, why);
    if (ok && batch->is_short) {
        error_set(why, ERR_MEMORY, "no memory for games to be moved");
        ok = false;
    }
    *count = ok ? batch->count : 0;
    ok = ok && (*count == 0 || move_games(forwarder, from, to, batch));
    batch_free(batch);
    return ok;
}

static bool move_all(Forwarder *forwarder, Store *from, Store *to)
{
    ForwarderResult *result = &forwarder->result;
    size_t count = BATCH;
    /* Before what is in the file: that is known already. */
    if (forwarder->reads_book_stats && !store_read_book_stats(to, forwarder->account, INT64_MAX,
                                                              &forwarder->book_stats, &result->why))
        return false;
    forwarder->has_read_them = forwarder->reads_book_stats;
    while (count > 0 && !atomic_load(&forwarder->stop))
        if (!move_batch(forwarder, from, to, &count))
            return false;
    return stats_read_kinds(to, forwarder->account, result->results, &result->why);
}

/* On a thread of the pool. */
static void work(uv_work_t *request)
{
    Forwarder *forwarder = request->data;
    ForwarderResult *result = &forwarder->result;
    Store *from = NULL, *to = NULL;
    if (clock_now_ms() >= forwarder->refused.until_ms)
        forwarder->refused.count = 0;
    result->has_results =
        store_new(&from, forwarder->file, STORE_WRITE, &result->why) &&
        store_new_until(&to, forwarder->address, STORE_WRITE, &forwarder->stop, &result->why) &&
        move_all(forwarder, from, to);
    store_free(to);
    if (!from || !store_count_games(from, &result->waiting, NULL))
        result->waiting = -1;
    store_free(from);
}

static void forwarder_on_timer(uv_timer_t *timer)
{
    forwarder_begin(timer->data);
}

static void forwarder_on_timer_closed(uv_handle_t *handle)
{
    Forwarder *forwarder = handle->data;
    book_stats_release(&forwarder->book_stats);
    free(forwarder->file);
    free(forwarder->address);
    free(forwarder);
}

static void forwarder_on_worked(uv_work_t *request, int status)
{
    Forwarder *forwarder = request->data;
    ForwarderResult *result = &forwarder->result;
    (void)status; /* never cancelled */
    forwarder->is_working = false;
    if (forwarder->is_closing) {
        uv_close((uv_handle_t *)&forwarder->timer, forwarder_on_timer_closed);
        return;
    }
    bool ok = result->why.code == ERR_NONE;
    if (forwarder->has_read_them) {
        result->book_stats = &forwarder->book_stats;
        forwarder->has_book_stats = true;
    }
    forwarder->on_result(forwarder->user, result);
    book_stats_release(&forwarder->book_stats);
    if (!ok)
        timer_set(&forwarder->timer, forwarder_on_timer, clock_now_ms() + FORWARDER_RETRY_MS);
    else if (forwarder->is_wanted_again)
        timer_set(&forwarder->timer, forwarder_on_timer, clock_now_ms());
}

void forwarder_begin(Forwarder *forwarder)
{
    forwarder->is_wanted_again = forwarder->is_working;
    if (forwarder->is_working || forwarder->account[0] == '\0')
        return;
    timer_set(&forwarder->timer, forwarder_on_timer, INT64_MAX);
    forwarder->result = (ForwarderResult){ .waiting = -1 };
    forwarder->reads_book_stats = !forwarder->has_book_stats;
    forwarder->has_read_them = false;
    forwarder->work.data = forwarder;
    forwarder->is_working = true;
    int failure = uv_queue_work(forwarder->loop, &forwarder->work, work, forwarder_on_worked);
    assert(failure == 0);
    (void)failure;
}

void forwarder_set_account(Forwarder *forwarder, const char *account)
{
    size_t len = strlen(account);
    if (forwarder->account[0] != '\0' || len == 0 || len >= sizeof forwarder->account)
        return;
    memcpy(forwarder->account, account, len + 1);
    forwarder_begin(forwarder);
}

bool forwarder_new(Forwarder **out, uv_loop_t *loop, const char *file, const char *address,
                   ForwarderOnResult *on_result, void *user, Error *err)
{
    Forwarder *forwarder = alloc_zeroed(sizeof *forwarder, "the archive's server", err);
    if (!forwarder)
        return false;
    forwarder->file = strdup(file);
    forwarder->address = strdup(address);
    if (!forwarder->file || !forwarder->address) {
        error_set(err, ERR_MEMORY, "no memory");
        free(forwarder->file);
        free(forwarder->address);
        free(forwarder);
        return false;
    }
    forwarder->loop = loop;
    forwarder->on_result = on_result;
    forwarder->user = user;
    book_stats_init(&forwarder->book_stats);
    timer_init(loop, &forwarder->timer, forwarder);
    *out = forwarder;
    return true;
}

void forwarder_close(Forwarder *forwarder)
{
    if (!forwarder)
        return;
    forwarder->is_closing = true;
    atomic_store(&forwarder->stop, true);
    if (!forwarder->is_working)
        uv_close((uv_handle_t *)&forwarder->timer, forwarder_on_timer_closed);
}
