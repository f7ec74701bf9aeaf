/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.h - a connection to the database that holds an archive, whichever program runs it: statements
 * with parameters, and their rows. Each program is a DbKind. The SQL is what all of them
 * understand, with a `?` for each parameter. Integers have 64 bits, booleans are 0 and 1. Blocking;
 * one thread at a time. Only the archive's modules that write and read rows include this.
 *
 * Errors are those of store.h. */
#pragma once
#include "engine/base/error.h"

#include <stdint.h>

typedef struct Db Db;
typedef struct DbQuery DbQuery;

typedef enum { DB_ROW, DB_DONE, DB_FAILED } DbStep;

typedef struct {
    const char *begin; /* opens a transaction that will write */
    void (*close)(Db *db);
    bool (*has_moved)(Db *db);  /* NULL: it never does */
    void (*checkpoint)(Db *db); /* NULL: there is none to make */
    bool (*run)(Db *db, const char *sql, Error *err);
    DbQuery *(*prepare)(Db *db, const char *sql, Error *err);
    void (*bind_text)(DbQuery *query, int at, const char *text); /* `at`: 0 is the first */
    void (*bind_number)(DbQuery *query, int at, int64_t number);
    DbStep (*step)(DbQuery *query, Error *err);
    void (*reset)(DbQuery *query);
    void (*finish)(DbQuery *query);
    bool (*is_null)(const DbQuery *query, int column);
    const char *(*text)(const DbQuery *query, int column);
    int64_t (*number)(const DbQuery *query, int column);
    double (*real)(const DbQuery *query, int column);
} DbKind;

/* Each kind's own structs begin with these. */
struct Db {
    const DbKind *kind;
};
struct DbQuery {
    Db *db;
    int bound; /* parameters so far */
};

/* NULL is fine. Queries are finished before. */
void db_close(Db *db);

/* Does its file stand under its name no more, as somebody has renamed, replaced or removed it? */
bool db_has_moved(Db *db);

/* Brings what was written into the database's own file, if nobody is in the way. Not in a
 * transaction. */
void db_checkpoint(Db *db);

/* Between these all or nothing is written. A failure calls for db_rollback(), also of the commit.
 */
bool db_begin(Db *db, Error *err) MUST_CHECK;
bool db_commit(Db *db, Error *err) MUST_CHECK;
void db_rollback(Db *db);

/* The same inside a transaction, for a part of it: a failure of that part calls for
 * db_rollback_savepoint(), and the rest goes on. One at a time. */
bool db_savepoint(Db *db, Error *err) MUST_CHECK;
bool db_release_savepoint(Db *db, Error *err) MUST_CHECK;
void db_rollback_savepoint(Db *db);

/* One statement, which db_finish() ends. NULL and an Error where the database refuses it. */
DbQuery *db_prepare(Db *db, const char *sql, Error *err) MUST_CHECK;
void db_finish(DbQuery *query); /* NULL is fine */

/* The next parameter. A text is lent until the statement has been carried out; NULL is SQL's. */
void db_bind_text(DbQuery *query, const char *text);
void db_bind_number(DbQuery *query, int64_t number);
void db_bind_null(DbQuery *query);

/* The next row. After the last one and after a failure the query is reset: ready for new parameters
 * and another run. */
DbStep db_step(DbQuery *query, Error *err) MUST_CHECK;

/* Gives up the rows that are left. */
void db_reset(DbQuery *query);

/* Carries out a statement whose rows, if any, do not matter. */
bool db_execute(DbQuery *query, Error *err) MUST_CHECK;

/* A column of the row: 0 and "" where it is NULL or something else. Texts are lent until the next
 * step. */
bool db_is_null(const DbQuery *query, int column);
const char *db_text(const DbQuery *query, int column);
int64_t db_number(const DbQuery *query, int column);
double db_real(const DbQuery *query, int column);
