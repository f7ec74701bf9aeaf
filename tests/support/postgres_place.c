/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/postgres_place.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEST_SKIPPED = 77 };

static struct {
    pid_t pid;
    int stdin_fd; /* its end is the server's end */
    char address[256];
} server;

/* 0, or what main() is to return. */
static int start(void)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return 1;
    server.pid = fork();
    if (server.pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execlp("python3", "python3", POSTGRES_SERVER, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    server.stdin_fd = in[1];
    FILE *lines = fdopen(out[0], "r");
    bool ok = server.pid > 0 && lines && fscanf(lines, "%255s", server.address) == 1;
    if (lines)
        fclose(lines);
    if (!ok)
        return 1;
    if (strcmp(server.address, "-") != 0)
        return 0;
    fprintf(stderr, "no PostgreSQL server here: apt-get install postgresql\n");
    return getenv("CI") ? 1 : TEST_SKIPPED;
}

static void stop(void)
{
    close(server.stdin_fd);
    waitpid(server.pid, NULL, 0);
}

int postgres_run_tests(void)
{
    int skipped = start();
    if (skipped)
        return skipped;
    int failures = run_all_tests();
    stop();
    return failures;
}

const char *postgres_address(void)
{
    return server.address;
}

int postgres_make_places(void **state)
{
    postgres_tell("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    return make_place(state);
}

Store *postgres_open(StoreMode mode)
{
    Error err = { 0 };
    Store *store;
    if (!store_new(&store, server.address, mode, &err))
        fail_msg("%s", err.text);
    return store;
}

static void ignore_notice(void *user, const char *message)
{
    (void)user, (void)message;
}

void postgres_tell(const char *sql)
{
    PGconn *line = PQconnectdb(server.address);
    PQsetNoticeProcessor(line, ignore_notice, NULL);
    PGresult *result = PQexec(line, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s", PQerrorMessage(line));
    PQclear(result);
    PQfinish(line);
}

PGconn *postgres_lock(void)
{
    PGconn *line = PQconnectdb(server.address);
    PGresult *result = PQexec(line, "BEGIN; LOCK TABLE game");
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    return line;
}

FakeServer fake_begin(const Place *place)
{
    FakeServer fake = { .at = { .sun_family = AF_UNIX } };
    fake.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(
        snprintf(fake.at.sun_path, sizeof fake.at.sun_path, "%s/.s.PGSQL.5432", place->folder) > 0);
    assert_true(
        snprintf(fake.address, sizeof fake.address, "postgresql:///x?host=%s", place->folder) > 0);
    assert_int_equal(bind(fake.listener, (struct sockaddr *)&fake.at, sizeof fake.at), 0);
    assert_int_equal(listen(fake.listener, 5), 0);
    return fake;
}

void fake_end(const FakeServer *fake)
{
    close(fake->listener);
    assert_int_equal(unlink(fake->at.sun_path), 0);
}
