/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of db_postgres.c and postgres_route.c where castled is built without PostgreSQL. */
#include "bot/archive/db_postgres.h"
#include "bot/archive/postgres_route.h"

bool db_postgres_open(Db **out, const char *address, StoreMode mode, const atomic_bool *stop,
                      Error *err)
{
    (void)out;
    (void)mode;
    (void)stop;
    error_set(err, ERR_INVALID, "%s: this castled was built without PostgreSQL", address);
    return false;
}

PostgresSafety postgres_safety(const char *address)
{
    (void)address;
    return (PostgresSafety){ .ssl_mode = "" };
}
