/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/db.h"

#include <stddef.h>

void db_close(Db *db)
{
    if (db)
        db->kind->close(db);
}

bool db_has_moved(Db *db)
{
    return db->kind->has_moved && db->kind->has_moved(db);
}

void db_checkpoint(Db *db)
{
    if (db->kind->checkpoint)
        db->kind->checkpoint(db);
}

/* Statements without parameters and rows, any number of them. */
static bool run(Db *db, const char *sql, Error *err)
{
    return db->kind->run(db, sql, err);
}

bool db_begin(Db *db, Error *err)
{
    return run(db, db->kind->begin, err);
}

bool db_commit(Db *db, Error *err)
{
    return run(db, "COMMIT", err);
}

void db_rollback(Db *db)
{
    Error why;
    (void)!run(db, "ROLLBACK", &why);
}

bool db_savepoint(Db *db, Error *err)
{
    return run(db, "SAVEPOINT part", err);
}

bool db_release_savepoint(Db *db, Error *err)
{
    return run(db, "RELEASE part", err);
}

void db_rollback_savepoint(Db *db)
{
    Error why;
    (void)!run(db, "ROLLBACK TO part; RELEASE part", &why);
}

DbQuery *db_prepare(Db *db, const char *sql, Error *err)
{
    DbQuery *query = db->kind->prepare(db, sql, err);
    if (query)
        *query = (DbQuery){ .db = db };
    return query;
}

void db_finish(DbQuery *query)
{
    if (query)
        query->db->kind->finish(query);
}

void db_bind_text(DbQuery *query, const char *text)
{
    if (text)
        query->db->kind->bind_text(query, query->bound, text);
    query->bound++;
}

void db_bind_number(DbQuery *query, int64_t number)
{
    query->db->kind->bind_number(query, query->bound++, number);
}

void db_bind_null(DbQuery *query)
{
    query->bound++;
}

DbStep db_step(DbQuery *query, Error *err)
{
    DbStep step = query->db->kind->step(query, err);
    if (step != DB_ROW)
        db_reset(query);
    return step;
}

void db_reset(DbQuery *query)
{
    query->db->kind->reset(query);
    query->bound = 0;
}

bool db_execute(DbQuery *query, Error *err)
{
    DbStep step;
    while ((step = db_step(query, err)) == DB_ROW)
        ;
    return step == DB_DONE;
}

bool db_is_null(const DbQuery *query, int column)
{
    return query->db->kind->is_null(query, column);
}

const char *db_text(const DbQuery *query, int column)
{
    return query->db->kind->text(query, column);
}

int64_t db_number(const DbQuery *query, int column)
{
    return query->db->kind->number(query, column);
}

double db_real(const DbQuery *query, int column)
{
    return query->db->kind->real(query, column);
}
