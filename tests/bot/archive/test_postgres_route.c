/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way to a PostgreSQL server, without one: what libpq asks of names is answered here. */
#include "bot/archive/db_postgres.h"
#include "bot/archive/postgres_route.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A name service that takes its time, and knows one name. */
static atomic_int lookup_ms;

__attribute__((visibility("default"))) int getaddrinfo(const char *node, const char *service,
                                                       const struct addrinfo *wanted,
                                                       struct addrinfo **out)
{
    (void)wanted;
    struct addrinfo *found = calloc(1, sizeof *found + sizeof(struct sockaddr_in));
    struct sockaddr_in *at = (void *)(found + 1);
    usleep((useconds_t)atomic_load(&lookup_ms) * 1000);
    bool is_known = strcmp(node, "db.example.net") == 0 || strcmp(node, "127.0.0.1") == 0;
    if (!is_known) {
        free(found);
        return EAI_NONAME;
    }
    *at = (struct sockaddr_in){ .sin_family = AF_INET,
                                .sin_port = htons((uint16_t)(service ? atoi(service) : 0)),
                                .sin_addr = { htonl(INADDR_LOOPBACK) } };
    *found = (struct addrinfo){ .ai_family = AF_INET,
                                .ai_socktype = SOCK_STREAM,
                                .ai_addr = (struct sockaddr *)at,
                                .ai_addrlen = sizeof *at };
    *out = found;
    return 0;
}

__attribute__((visibility("default"))) void freeaddrinfo(struct addrinfo *found)
{
    free(found);
}

static atomic_bool stop;

static void *stop_soon(void *unused)
{
    usleep(200000);
    atomic_store(&stop, true);
    return unused;
}

TEST(a_stop_waits_for_no_name)
{
    enum { SLOW_MS = 5000, MOST_MS = 2500 };
    Db *db;
    Error err = { 0 };
    pthread_t thread;
    atomic_store(&lookup_ms, SLOW_MS);
    int64_t began = clock_now_ms();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    assert_false(
        db_postgres_open(&db, "postgresql://db.example.net/castled", STORE_READ, &stop, &err));
    assert_true(clock_now_ms() - began < MOST_MS);
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "given up"));
    pthread_join(thread, NULL);
    atomic_store(&stop, false);
    atomic_store(&lookup_ms, 0);
}

TEST(a_name_that_is_not_known_is_told)
{
    Db *db;
    Error err = { 0 };
    assert_false(
        db_postgres_open(&db, "postgresql://no.example.net/castled", STORE_READ, NULL, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "no.example.net: "));
}

TEST(names_are_looked_up_and_all_else_is_left_as_it_is)
{
    static const struct {
        const char *address, *hosts, *addresses, *ports;
    } rows[] = {
        { "postgresql:///castled", "", "", "" },
        { "postgresql:///castled?host=/run/pg", "", "", "" },
        { "postgresql://db.example.net/castled", "db.example.net", "127.0.0.1", "" },
        { "postgresql://db.example.net:7/castled", "db.example.net", "127.0.0.1", "7" },
        { "postgresql://10.0.0.1/castled", "10.0.0.1", "10.0.0.1", "" },
        { "postgresql://db.example.net:7,10.0.0.1:8/castled", "db.example.net,10.0.0.1",
          "127.0.0.1,10.0.0.1", "7,8" },
        { "postgresql://no.example.net:7,10.0.0.1:8/castled", "10.0.0.1", "10.0.0.1", "8" },
        { "postgresql://db.example.net/castled?hostaddr=10.0.0.1", "", "", "" },
        { "nonsense", "", "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PostgresRoute route;
        Error err = { 0 };
        if (!postgres_route_find(&route, rows[i].address, NULL, INT64_MAX, &err))
            fail_msg("%s: %s", rows[i].address, err.text);
        assert_string_equal(buf_view(&route.hosts), rows[i].hosts);
        assert_string_equal(buf_view(&route.host_addresses), rows[i].addresses);
        assert_string_equal(buf_view(&route.ports), rows[i].ports);
        postgres_route_release(&route);
    }
}

TEST(off_this_machine_tls_is_wanted_unless_the_address_says_otherwise)
{
    static const struct {
        const char *address, *ssl_mode;
        bool may_be_bare;
    } rows[] = {
        { "postgresql:///castled", "", false },
        { "postgresql:///castled?host=/run/pg", "", false },
        { "postgresql://localhost/castled", "", false },
        { "postgresql://127.0.0.2/castled", "", false },
        { "postgresql://[::1]/castled", "", false },
        { "postgresql://localhost/castled?hostaddr=10.0.0.1", "verify-full", false },
        { "postgresql://localhost,db.example.net/castled", "verify-full", false },
        { "postgresql://db.example.net/castled", "verify-full", false },
        { "postgresql://10.0.0.1/castled", "verify-full", false },
        { "postgresql://localhost/castled?sslmode=disable", "", false },
        { "postgresql://db.example.net/castled?sslmode=require", "", false },
        { "postgresql://db.example.net/castled?sslmode=prefer", "", true },
        { "postgresql://db.example.net/castled?sslmode=disable", "", true },
    };
    unsetenv("PGSSLMODE");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PostgresSafety safety = postgres_safety(rows[i].address);
        assert_string_equal(safety.ssl_mode, rows[i].ssl_mode);
        if (safety.may_be_bare != rows[i].may_be_bare)
            fail_msg("%s", rows[i].address);
    }
    setenv("PGSSLMODE", "allow", 1);
    assert_true(postgres_safety("postgresql://db.example.net/castled").may_be_bare);
    unsetenv("PGSSLMODE");
}

TEST(a_service_stands_for_what_its_file_says)
{
    static const char file[] = "[far]\nhost=db.example.net\n[near]\nhost=/run/pg\n"
                               "[asked]\nhost=db.example.net\nsslmode=disable\n";
    char path[] = "/tmp/castled-service-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, file, sizeof file - 1), sizeof file - 1);
    close(fd);
    setenv("PGSERVICEFILE", path, 1);
    assert_string_equal(postgres_safety("postgresql:///?service=far").ssl_mode, "verify-full");
    assert_string_equal(postgres_safety("postgresql:///?service=near").ssl_mode, "");
    PostgresSafety asked = postgres_safety("postgresql:///?service=asked");
    assert_string_equal(asked.ssl_mode, "");
    assert_true(asked.may_be_bare);
    assert_string_equal(postgres_safety("postgresql://localhost/?service=far").ssl_mode, "");
    setenv("PGSERVICE", "far", 1);
    assert_string_equal(postgres_safety("postgresql:///castled").ssl_mode, "verify-full");
    unsetenv("PGSERVICE");
    unsetenv("PGSERVICEFILE");
    unlink(path);
}

/* A child that says no to TLS and asks for the password in clear text. Exits with 1 if it came. */
static pid_t ask_for_password(int listener)
{
    static const char ask[] = "R\0\0\0\x08\0\0\0\x03";
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char taken[512];
    for (;;) {
        int line = accept(listener, NULL, NULL);
        ssize_t len = read(line, taken, sizeof taken);
        if (len == 8 && write(line, "N", 1) == 1) /* the request for TLS, or what comes before it */
            len = read(line, taken, sizeof taken);
        if (len > 8 && write(line, ask, sizeof ask - 1) > 0 && read(line, taken, 1) == 1 &&
            taken[0] == 'p')
            _exit(1);
        close(line);
    }
}

TEST(no_password_goes_to_whoever_answers_without_tls)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof at;
    char address[128];
    Db *db;
    Error err = { 0 };
    int status, listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(listener, 5), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    assert_true(snprintf(address, sizeof address, "postgresql://castled@db.example.net:%d/castled",
                         ntohs(at.sin_port)) > 0);
    pid_t pid = ask_for_password(listener);
    setenv("PGPASSWORD", "secret", 1);
    assert_false(db_postgres_open(&db, address, STORE_READ, NULL, &err));
    unsetenv("PGPASSWORD");
    usleep(100000);
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0); /* it still waits for one */
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    close(listener);
}
