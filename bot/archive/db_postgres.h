/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db_postgres.h - an archive on a PostgreSQL server, which many daemons may share.
 *
 * Nothing waits for the server for long: a connection has CONNECT_MS, and a statement in which the
 * server says nothing SILENCE_MS. Then the connection is broken for good. A password does not stand
 * in the address: libpq takes it from $PGPASSFILE or ~/.pgpass, or none is needed. */
#pragma once
#include "bot/archive/db.h"
#include "bot/archive/schema.h"

#include <stdatomic.h>

enum { DB_POSTGRES_CONNECT_MS = 10000, DB_POSTGRES_SILENCE_MS = 30000 };

/* Opens what `address` ("postgresql://host/name") names, as store_new() of store.h says. `stop`:
 * lent; once it is true, on any thread, everything fails soon; NULL: nobody stops it. The caller
 * closes it. */
bool db_postgres_open(Db **out, const char *address, StoreMode mode, const atomic_bool *stop,
                      Error *err) MUST_CHECK;
