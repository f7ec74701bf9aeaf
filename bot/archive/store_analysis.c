/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/store_analysis.h"

#include "bot/archive/eval_lists.h"
#include "bot/archive/store_db.h"

#include <math.h>
#include <stdlib.h>

enum { LIST_MAX = 1 << 18 };

/* ---- writing ---- */

/* The game's number; 0: it is not there with as many moves. */
static bool find_number(Store *store, const GameRecord *record, int64_t *out, Error *err)
{
    DbQuery *find = store_statement(store, STATEMENT_FIND_GAME, err);
    if (!find)
        return false;
    *out = 0;
    db_bind_text(find, record->id);
    db_bind_text(find, store_account(record));
    db_bind_number(find, (int64_t)record->count);
    DbStep step = db_step(find, err);
    if (step != DB_ROW)
        return step == DB_DONE;
    *out = db_number(find, 0);
    db_reset(find);
    return true;
}

static void bind_thousandths(DbQuery *to, double percent)
{
    db_bind_number(to, llround(percent * 10));
}

static void bind_accuracy(DbQuery *to, const GameRecord *record, const PositionEval *evals)
{
    double accuracy[COLOUR_COUNT];
    if (record->us == COLOUR_NONE ||
        !game_accuracy(evals + 1, record->count, record_first_mover(record), accuracy)) {
        db_bind_null(to);
        db_bind_null(to);
        return;
    }
    bind_thousandths(to, accuracy[record->us]);
    bind_thousandths(to, accuracy[colour_other(record->us)]);
}

/* False without memory. */
static bool bind_losses(DbQuery *to, const GameRecord *record, const PositionEval *evals)
{
    double lost[CAUSE_COUNT] = { 0 };
    LossCause cause;
    MoveLoss *losses = calloc(record->count + 1, sizeof *losses);
    if (!losses)
        return false;
    size_t count = record->us == COLOUR_NONE
                       ? 0
                       : find_losses(record, evals, record->us, losses, record->count);
    for (size_t i = 0; i < count; i++)
        lost[losses[i].cause] += losses[i].lost;
    free(losses);
    for (int i = 0; i < CAUSE_COUNT; i++)
        bind_thousandths(to, lost[i]);
    db_bind_text(to, game_loss_cause(record, evals, &cause) ? loss_cause_name(cause) : NULL);
    return true;
}

static bool add_analysis(Store *store, const GameRecord *record, int64_t number,
                         const PositionEval *evals, int64_t nodes, Error *err)
{
    Buf lists[EVAL_LIST_COUNT];
    DbQuery *add = store_statement(store, STATEMENT_ADD_ANALYSIS, err);
    bool ok = true;
    if (!add)
        return false;
    db_bind_number(add, number);
    db_bind_number(add, nodes);
    db_bind_text(add, CASTLED_VERSION);
    for (int i = 0; i < EVAL_LIST_COUNT; i++) {
        buf_init(&lists[i], LIST_MAX);
        ok = ok && eval_list_write(evals, record->count + 1, (EvalListKind)i, &lists[i]);
        db_bind_text(add, buf_view(&lists[i]));
    }
    bind_accuracy(add, record, evals);
    if (ok && bind_losses(add, record, evals)) {
        ok = db_execute(add, err);
    } else {
        error_set(err, ERR_MEMORY, "game %s: no memory", record->id);
        db_reset(add);
        ok = false;
    }
    for (int i = 0; i < EVAL_LIST_COUNT; i++)
        buf_release(&lists[i]);
    return ok;
}

static bool drop_analysis(Store *store, int64_t number, Error *err)
{
    DbQuery *drop = store_statement(store, STATEMENT_DROP_ANALYSIS, err);
    if (!drop)
        return false;
    db_bind_number(drop, number);
    return db_execute(drop, err);
}

static bool put_analysis(Store *store, const GameRecord *record, const PositionEval *evals,
                         int64_t nodes, Error *err)
{
    int64_t number;
    return find_number(store, record, &number, err) &&
           (number == 0 || (drop_analysis(store, number, err) &&
                            add_analysis(store, record, number, evals, nodes, err)));
}

bool store_put_analysis(Store *store, const GameRecord *record, const PositionEval *evals,
                        int64_t nodes, Error *err)
{
    return store_begin_entry(store, err) &&
           store_end_entry(store, put_analysis(store, record, evals, nodes, err), err);
}

/* ---- reading ---- */

static bool read_lists(const DbQuery *row, PositionEval *out, size_t count)
{
    for (int i = 0; i < EVAL_LIST_COUNT; i++)
        if (!eval_list_read(out, count, (EvalListKind)i, text_of(db_text(row, i + 1))))
            return false;
    return true;
}

bool store_read_analysis(Store *store, const GameRecord *record, PositionEval *out, int64_t *nodes,
                         Error *err)
{
    size_t count = record->count + 1;
    DbQuery *question = store_statement(store, STATEMENT_READ_ANALYSIS, err);
    PositionEval *evals = calloc(count, sizeof *evals);
    if (!question || !evals) {
        error_set(err, ERR_MEMORY, "no memory");
        free(evals);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        evals[i].score = SCORE_NONE;
    *nodes = 0;
    db_bind_text(question, record->id);
    db_bind_text(question, store_account(record));
    DbStep step = db_step(question, err);
    if (step == DB_ROW) {
        if (read_lists(question, evals, count)) {
            memcpy(out, evals, count * sizeof *out);
            *nodes = db_number(question, 0);
        }
        db_reset(question);
    }
    free(evals);
    return step != DB_FAILED;
}
