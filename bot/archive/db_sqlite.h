/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db_sqlite.h - an archive in a file of SQLite's, in WAL mode: others may read while one writes,
 * and a process that dies in mid-write leaves it whole. */
#pragma once
#include "bot/archive/db.h"
#include "bot/archive/schema.h"

#include <stdatomic.h>

/* Opens it as store_new() of store.h says, its schema up to date. `stop`: lent; while it is true,
 * on any thread, what is under way fails within milliseconds; NULL: nobody stops it. `upgrade`:
 * NULL is fine. The caller closes it. */
bool db_sqlite_open(Db **out, const char *path, StoreMode mode, const atomic_bool *stop,
                    const StoreUpgrade *upgrade, Error *err) MUST_CHECK;
