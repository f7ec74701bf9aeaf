/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_db.h - what the modules that write and read the archive's rows share: its connection, and
 * how filters become SQL. No other file includes this. */
#pragma once
#include "bot/archive/db.h"
#include "bot/archive/store.h"
#include "engine/base/buf.h"

typedef enum {
    STATEMENT_HAS_GAME,
    STATEMENT_DROP_GAME,
    STATEMENT_COUNT_GAMES,
    STATEMENT_LAST_GAME,
    STATEMENT_ADD_GAME,
    STATEMENT_ADD_MOVES,
    STATEMENT_ADD_BOOK_MOVE,
    STATEMENT_PUT_FACT,
    STATEMENT_DROP_FACT,
    STATEMENT_EXPIRE_FACTS,
    STATEMENT_READ_FACTS,
    STATEMENT_READ_BOOK_STATS,
    STATEMENT_FIND_GAME,
    STATEMENT_DROP_ANALYSIS,
    STATEMENT_ADD_ANALYSIS,
    STATEMENT_READ_ANALYSIS,
    STATEMENT_COUNT,
} Statement;

struct Store {
    Db *db;
    bool is_in_batch;
    DbQuery *statements[STATEMENT_COUNT]; /* prepared when first needed */
};

/* Ready for its parameters; NULL and an Error where the database refuses it. */
DbQuery *store_statement(Store *store, Statement which, Error *err) MUST_CHECK;

/* Around what is written of one game or fact: a transaction, or in a batch a part of it. With `ok`
 * false nothing of it stays. */
bool store_begin_entry(Store *store, Error *err) MUST_CHECK;
bool store_end_entry(Store *store, bool ok, Error *err) MUST_CHECK;

/* The account of ours that played, as the column of that name has it. */
const char *store_account(const GameRecord *record);

/* The condition on the columns of `game` that a filter makes, without its limit; false without
 * memory. Its parameters are bound in the same order. */
bool store_filter_write(Buf *sql, const StoreFilter *filter) MUST_CHECK;
void store_filter_bind(DbQuery *question, const StoreFilter *filter);
