/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postgres_place.h - a PostgreSQL server (tests/support/postgres_server.py) as a child of a test
 * program, and what only seems to be one. Failures fail the test. */
#pragma once
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#include <libpq-fe.h>
#include <limits.h>
#include <sys/un.h>

/* Runs the tests with a server, and returns what main() is to return: where this machine has no
 * server's programs they are skipped, but not in CI, and where it does not come up they fail. */
int postgres_run_tests(void);

/* One of them: *state is a Place, as of make_place(), and the server has no archive either. */
#define POSTGRES_TEST(test) TEST_IN(test, postgres_make_places, remove_place)
int postgres_make_places(void **state);

/* Of the server; lent as long as it runs. */
const char *postgres_address(void);

/* The caller closes it. */
Store *postgres_open(StoreMode mode);

/* Statements by a connection of their own, whatever the schema is. */
void postgres_tell(const char *sql);

/* A transaction that has all games locked, until PQfinish(). */
PGconn *postgres_lock(void);

/* A socket where libpq looks for a server, and its address. */
typedef struct {
    struct sockaddr_un at;
    int listener;
    char address[PATH_MAX];
} FakeServer;

FakeServer fake_begin(const Place *place);
void fake_end(const FakeServer *fake);
