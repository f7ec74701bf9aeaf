/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_db.h - what the modules that write and read the archive's file share: its connection, and
 * how filters become SQL. No other file includes this. */
#pragma once
#include "bot/archive/store.h"
#include "engine/base/buf.h"

#include <sqlite3.h>

typedef enum {
    STATEMENT_HAS_GAME,
    STATEMENT_ADD_GAME,
    STATEMENT_ADD_MOVES,
    STATEMENT_ADD_BOOK_MOVE,
    STATEMENT_PUT_FACT,
    STATEMENT_DROP_FACT,
    STATEMENT_EXPIRE_FACTS,
    STATEMENT_READ_FACTS,
    STATEMENT_READ_BOOK_STATS,
    STATEMENT_COUNT,
} Statement;

struct Store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT]; /* prepared when first needed */
    char *path;
};

/* Says what SQLite last complained about; returns false. */
bool store_failed(const Store *store, Error *err);

/* The column's bytes, "" where there are none; lent until the next step. */
static inline const char *store_column_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

/* Bind the next parameter: *at counts them. An empty text is NULL. */
static inline void store_bind_text(sqlite3_stmt *to, int *at, const char *text)
{
    ++*at;
    if (text && text[0] != '\0')
        sqlite3_bind_text(to, *at, text, -1, SQLITE_STATIC);
}

static inline void store_bind_number(sqlite3_stmt *to, int *at, int64_t number)
{
    sqlite3_bind_int64(to, ++*at, number);
}

/* The condition on the columns of `game` that a filter makes, without its limit; false without
 * memory. Its parameters are bound in the same order, from the *at-th on. */
bool store_filter_write(Buf *sql, const StoreFilter *filter) MUST_CHECK;
void store_filter_bind(sqlite3_stmt *question, int *at, const StoreFilter *filter);
