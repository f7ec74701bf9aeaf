/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/db_postgres.h"

#include "bot/archive/postgres_route.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 100, /* how soon a stop is seen */
    PARAMETERS_MAX = 40,
    NUMBER_SIZE = 24,
    SQL_MAX = 8192,
    PASSWORD_SIZE = 1024,
};

typedef struct {
    Db db;
    PGconn *connection;
    const atomic_bool *stop;
    bool is_broken; /* out of step with the server */
    char *name;     /* the address */
} PostgresDb;

typedef struct {
    DbQuery query;
    char *sql;
    int count; /* of its parameters */
    const char *values[PARAMETERS_MAX];
    char numbers[PARAMETERS_MAX][NUMBER_SIZE];
    bool is_running;
    PGresult *row;
} PostgresQuery;

/* From nothing to the first schema that a server had, which is db_sqlite.c's of that number, and
 * from each version to the next; never change one that was released. Facts stay in the file. */
enum { FIRST_SCHEMA = 7 };
static const char *const migrations[STORE_SCHEMA - FIRST_SCHEMA + 1] = {
    "CREATE TABLE castled_archive (schema INTEGER NOT NULL);"
    "INSERT INTO castled_archive VALUES (0);"
    "CREATE TABLE game ("
    " number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " id TEXT NOT NULL,"
    " created_ms BIGINT, ended_ms BIGINT NOT NULL,"
    " variant TEXT NOT NULL, speed TEXT NOT NULL, rated INTEGER NOT NULL,"
    " initial_ms BIGINT, increment_ms BIGINT, days INTEGER,"
    " white_id TEXT, white TEXT, white_title TEXT, white_rating INTEGER, white_ai INTEGER,"
    " black_id TEXT, black TEXT, black_title TEXT, black_rating INTEGER, black_ai INTEGER,"
    " our_colour TEXT, opponent_id TEXT, opponent_is_bot INTEGER NOT NULL,"
    " status TEXT NOT NULL, winner TEXT, result TEXT NOT NULL, outcome TEXT NOT NULL,"
    " tournament_id TEXT, initial_fen TEXT, plies INTEGER NOT NULL, opening TEXT,"
    " account TEXT GENERATED ALWAYS AS"
    " (coalesce(CASE our_colour WHEN 'white' THEN white_id ELSE black_id END, '')) STORED,"
    " UNIQUE (id, account));" /* two accounts of ours may have played each other */
    "CREATE INDEX game_by_end ON game"
    " (ended_ms, variant, speed, rated, outcome, opponent_is_bot, account);"
    "CREATE INDEX game_by_opponent ON game (opponent_id, ended_ms);"
    "CREATE INDEX game_by_kind ON game"
    " (account, opponent_is_bot, outcome, our_colour, white_rating, black_rating);"
    "CREATE TABLE moves ("
    " game BIGINT PRIMARY KEY REFERENCES game (number) ON DELETE CASCADE,"
    " uci TEXT NOT NULL, clocks_ms TEXT NOT NULL, scores TEXT NOT NULL, depths TEXT NOT NULL,"
    " nodes TEXT NOT NULL, times_ms TEXT NOT NULL);"
    "CREATE TABLE book_move ("
    " game BIGINT NOT NULL REFERENCES game (number) ON DELETE CASCADE,"
    " ply INTEGER NOT NULL, key BIGINT NOT NULL, move INTEGER NOT NULL,"
    " PRIMARY KEY (game, ply));"
    "CREATE TABLE analysis ("
    " game BIGINT PRIMARY KEY REFERENCES game (number) ON DELETE CASCADE,"
    " nodes BIGINT NOT NULL, version TEXT NOT NULL,"
    " scores TEXT NOT NULL, depths TEXT NOT NULL, best TEXT NOT NULL,"
    " accuracy INTEGER, their_accuracy INTEGER, lost_chess INTEGER NOT NULL,"
    " lost_clock INTEGER NOT NULL, lost_book INTEGER NOT NULL, lost_fault INTEGER NOT NULL,"
    " cause TEXT);",

    "ALTER TABLE game ADD COLUMN engine TEXT;",
    "ALTER TABLE game ADD COLUMN opponent_engine TEXT;",
    "ALTER TABLE moves ADD COLUMN pvs TEXT;",
    "ALTER TABLE game ADD COLUMN strikes INTEGER;",
};

/* What goes wrong. */

static PostgresDb *db_of(const DbQuery *query)
{
    return (PostgresDb *)query->db;
}

/* Maps SQLSTATE to "this row is bad" (ERR_RANGE), "this database cannot" or "try again", as after
 * connection and administration errors. */
static ErrorCode code_of(const char *state)
{
    if (!state)
        return ERR_IO;
    if (strncmp(state, "22", 2) == 0 || strncmp(state, "23", 2) == 0)
        return ERR_RANGE;
    return strncmp(state, "42", 2) == 0 && strcmp(state, "42501") != 0 ? ERR_INVALID : ERR_IO;
}

/* In one line. */
static bool fail(const PostgresDb *db, ErrorCode code, const char *why, Error *err)
{
    char words[200];
    text_format_cut(words, sizeof words, "%s", why);
    for (char *at = words; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    for (size_t end = strlen(words); end > 0 && words[end - 1] == ' ';)
        words[--end] = '\0';
    error_set(err, code, "%s: %s", db->name, words);
    return false;
}

static bool fail_line(PostgresDb *db, Error *err)
{
    db->is_broken = true;
    return fail(db, ERR_IO, PQerrorMessage(db->connection), err);
}

static bool fail_result(const PostgresDb *db, const PGresult *result, Error *err)
{
    return fail(db, code_of(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                PQresultErrorMessage(result), err);
}

/* The conversation. */

/* Waits until the line can be read or written, within `until_ms`. */
static bool await(PostgresDb *db, short events, int64_t until_ms, Error *err)
{
    for (;;) {
        struct pollfd line = { .fd = PQsocket(db->connection), .events = events };
        if (db->stop && atomic_load(db->stop)) {
            db->is_broken = true;
            return fail(db, ERR_IO, "given up, as castled stops", err);
        }
        if (clock_now_ms() >= until_ms) {
            db->is_broken = true;
            return fail(db, ERR_IO, "the server does not answer", err);
        }
        if (line.fd < 0)
            return fail_line(db, err);
        if (poll(&line, 1, LOOK_MS) > 0)
            return true;
    }
}

static int64_t silence_ends_ms(void)
{
    return clock_now_ms() + DB_POSTGRES_SILENCE_MS;
}

static bool flush(PostgresDb *db, Error *err)
{
    int left;
    while ((left = PQflush(db->connection)) > 0)
        if (!await(db, POLLIN | POLLOUT, silence_ends_ms(), err) || !PQconsumeInput(db->connection))
            return db->is_broken ? false : fail_line(db, err);
    return left == 0 || fail_line(db, err);
}

/* The next result; *out NULL: there is none. */
static bool next_result(PostgresDb *db, PGresult **out, Error *err)
{
    while (PQisBusy(db->connection)) {
        if (!await(db, POLLIN, silence_ends_ms(), err))
            return false;
        if (!PQconsumeInput(db->connection))
            return fail_line(db, err);
    }
    *out = PQgetResult(db->connection);
    return true;
}

/* Takes all results that are left; the first failure counts. */
static bool finish_results(PostgresDb *db, Error *err)
{
    bool ok = true;
    PGresult *result = NULL;
    while (next_result(db, &result, err) && result) {
        ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_SINGLE_TUPLE)
            ok = fail_result(db, result, ok ? err : NULL);
        PQclear(result);
    }
    return ok && !db->is_broken;
}

static bool is_usable(const PostgresDb *db, Error *err)
{
    return !db->is_broken || fail(db, ERR_IO, "the connection was lost", err);
}

static bool run(Db *db, const char *sql, Error *err)
{
    PostgresDb *own = (PostgresDb *)db;
    if (!is_usable(own, err))
        return false;
    if (!PQsendQuery(own->connection, sql))
        return fail_line(own, err);
    return flush(own, err) && finish_results(own, err);
}

static void close_db(Db *db)
{
    PostgresDb *own = (PostgresDb *)db;
    PQfinish(own->connection);
    free(own->name);
    free(own);
}

/* Queries. */

/* With $1, $2 for the question marks; no text of ours holds one. NULL without memory. */
static char *numbered(const char *sql, int *count)
{
    Buf out;
    bool ok = true;
    buf_init(&out, SQL_MAX);
    *count = 0;
    for (; *sql && ok; sql++)
        ok = *sql == '?' ? buf_printf(&out, "$%d", ++*count) : buf_put_char(&out, *sql);
    assert(*count <= PARAMETERS_MAX);
    if (ok)
        return buf_take(&out);
    buf_release(&out);
    return NULL;
}

static DbQuery *prepare(Db *db, const char *sql, Error *err)
{
    PostgresQuery *query = calloc(1, sizeof *query);
    (void)db;
    if (!query || !(query->sql = numbered(sql, &query->count))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(query);
        return NULL;
    }
    return &query->query;
}

static void bind_text(DbQuery *query, int at, const char *text)
{
    ((PostgresQuery *)query)->values[at] = text;
}

static void bind_number(DbQuery *query, int at, int64_t number)
{
    PostgresQuery *own = (PostgresQuery *)query;
    text_format(own->numbers[at], NUMBER_SIZE, "%" PRId64, number);
    own->values[at] = own->numbers[at];
}

static bool send_query(PostgresQuery *own, Error *err)
{
    PostgresDb *db = db_of(&own->query);
    if (!is_usable(db, err))
        return false;
    if (!PQsendQueryParams(db->connection, own->sql, own->count, NULL, own->values, NULL, NULL,
                           0) ||
        !PQsetSingleRowMode(db->connection))
        return fail_line(db, err);
    own->is_running = true;
    return flush(db, err);
}

static DbStep step(DbQuery *query, Error *err)
{
    PostgresQuery *own = (PostgresQuery *)query;
    PostgresDb *db = db_of(query);
    PQclear(own->row);
    own->row = NULL;
    if ((!own->is_running && !send_query(own, err)) || !next_result(db, &own->row, err))
        return DB_FAILED;
    switch (PQresultStatus(own->row)) {
    case PGRES_SINGLE_TUPLE:
        return DB_ROW;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        own->is_running = false;
        return finish_results(db, err) ? DB_DONE : DB_FAILED;
    default:
        own->is_running = false;
        (void)fail_result(db, own->row, err);
        (void)!finish_results(db, NULL);
        return DB_FAILED;
    }
}

static void reset(DbQuery *query)
{
    PostgresQuery *own = (PostgresQuery *)query;
    PQclear(own->row);
    own->row = NULL;
    if (own->is_running && !db_of(query)->is_broken)
        (void)!finish_results(db_of(query), NULL);
    own->is_running = false;
    memset(own->values, 0, sizeof own->values);
}

static void finish(DbQuery *query)
{
    reset(query);
    free(((PostgresQuery *)query)->sql);
    free(query);
}

static bool is_null(const DbQuery *query, int column)
{
    return PQgetisnull(((const PostgresQuery *)query)->row, 0, column);
}

static const char *text(const DbQuery *query, int column)
{
    return PQgetvalue(((const PostgresQuery *)query)->row, 0, column);
}

static int64_t number(const DbQuery *query, int column)
{
    const char *at = text(query, column);
    int64_t value;
    return number_parse(at, strlen(at), INT64_MIN, INT64_MAX, &value, NULL) ? value : 0;
}

static double real(const DbQuery *query, int column)
{
    return strtod(text(query, column), NULL);
}

static const DbKind postgres_kind = {
    .begin = "BEGIN",
    .close = close_db,
    .run = run,
    .prepare = prepare,
    .bind_text = bind_text,
    .bind_number = bind_number,
    .step = step,
    .reset = reset,
    .finish = finish,
    .is_null = is_null,
    .text = text,
    .number = number,
    .real = real,
};

/* Opening. */

static bool read_number(PostgresDb *db, const char *sql, int64_t *out, Error *err)
{
    DbQuery *question = db_prepare(&db->db, sql, err);
    if (!question)
        return false;
    DbStep found = db_step(question, err);
    *out = found == DB_ROW ? db_number(question, 0) : 0;
    db_finish(question);
    return found != DB_FAILED;
}

/* 0: there is no archive in it yet. */
static bool read_schema(PostgresDb *db, int64_t *out, Error *err)
{
    int64_t is_there;
    *out = 0;
    return read_number(db, "SELECT (to_regclass('castled_archive') IS NOT NULL)::integer",
                       &is_there, err) &&
           (!is_there || read_number(db, "SELECT schema FROM castled_archive", out, err));
}

static bool migrate_from(PostgresDb *db, int64_t version, Error *err)
{
    for (int64_t at = version < FIRST_SCHEMA ? 0 : version - FIRST_SCHEMA + 1;
         at <= STORE_SCHEMA - FIRST_SCHEMA; at++)
        if (!run(&db->db, migrations[at], err))
            return false;
    char stamp[80];
    text_format(stamp, sizeof stamp, "UPDATE castled_archive SET schema = %d", STORE_SCHEMA);
    return run(&db->db, stamp, err);
}

/* Of several daemons that start at once one does it, and the others wait. */
static bool migrate(PostgresDb *db, Error *err)
{
    int64_t version;
    if (!db_begin(&db->db, err))
        return false;
    if (run(&db->db, "SELECT pg_advisory_xact_lock(1667330924)", err) &&
        read_schema(db, &version, err) &&
        (version >= STORE_SCHEMA || migrate_from(db, version, err)) && db_commit(&db->db, err))
        return true;
    db_rollback(&db->db);
    return false;
}

static bool fail_no_archive(PostgresDb *db, Error *err)
{
    int64_t can_make;
    if (!read_number(db,
                     "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)"
                     "::integer",
                     &can_make, err))
        return false;
    error_set(err, can_make ? ERR_NOT_NOW : ERR_REFUSED, "%s: there is no archive yet%s", db->name,
              can_make ? ": `castled run` makes it"
                       : ", and this user may not make one: GRANT CREATE ON SCHEMA public");
    return false;
}

static bool check_schema(PostgresDb *db, StoreMode mode, Error *err)
{
    int64_t version;
    if (!read_schema(db, &version, err))
        return false;
    if (version > STORE_SCHEMA) {
        error_set(err, ERR_INVALID,
                  "%s: written by a newer castled (schema %" PRId64 "; this one reads up to %d)",
                  db->name, version, STORE_SCHEMA);
        return false;
    }
    if (version == STORE_SCHEMA)
        return true;
    if (mode == STORE_WRITE)
        return migrate(db, err);
    if (version == 0)
        return fail_no_archive(db, err);
    error_set(err, ERR_INVALID, "%s: of an older castled: `castled run` brings it up to date",
              db->name);
    return false;
}

/* The server's remarks, such as that a transaction has ended already. */
static void ignore_notice(void *user, const PGresult *result)
{
    (void)user, (void)result;
}

/* What systemd keeps for us: libpq itself refuses such a file, as its group seems to read it.
 * Empty: there is none, and libpq looks elsewhere. */
static void read_password(char out[PASSWORD_SIZE])
{
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    char path[PATH_MAX];
    int len = folder ? snprintf(path, sizeof path, "%s/archive-password", folder) : -1;
    FILE *file = len > 0 && (size_t)len < sizeof path ? fopen(path, "re") : NULL;
    out[0] = '\0';
    if (!file)
        return;
    setvbuf(file, NULL, _IONBF, 0); /* no copy of it stays behind */
    if (!fgets(out, PASSWORD_SIZE, file))
        out[0] = '\0';
    out[strcspn(out, "\r\n")] = '\0';
    fclose(file);
}

/* What stands in the address itself comes after the first of these, and counts. The route is the
 * address's own, looked up. */
static bool begin_connection(PostgresDb *db, const PostgresRoute *route, Error *err)
{
    static const char *const keywords[] = { "password",
                                            "application_name",
                                            "keepalives_idle",
                                            "tcp_user_timeout",
                                            "sslmode",
                                            "dbname",
                                            "client_encoding",
                                            "host",
                                            "hostaddr",
                                            "port",
                                            NULL };
    char password[PASSWORD_SIZE];
    read_password(password);
    const char *const values[] = { password,
                                   "castled",
                                   "30",
                                   "30000",
                                   postgres_safety(db->name).ssl_mode,
                                   db->name,
                                   "UTF8",
                                   buf_view(&route->hosts),
                                   buf_view(&route->host_addresses),
                                   buf_view(&route->ports),
                                   NULL };
    db->connection = PQconnectStartParams(keywords, values, 1);
    OPENSSL_cleanse(password, sizeof password);
    if (!db->connection)
        error_set(err, ERR_MEMORY, "no memory");
    return db->connection;
}

static bool begin_on_route(PostgresDb *db, int64_t until_ms, Error *err)
{
    PostgresRoute route;
    bool ok = postgres_route_find(&route, db->name, db->stop, until_ms, err);
    if (!ok)
        error_prefix(err, "%s", db->name);
    ok = ok && begin_connection(db, &route, err);
    postgres_route_release(&route);
    return ok;
}

static bool connect_to(PostgresDb *db, Error *err)
{
    int64_t until_ms = clock_now_ms() + DB_POSTGRES_CONNECT_MS;
    if (!begin_on_route(db, until_ms, err))
        return false;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
        if (PQstatus(db->connection) == CONNECTION_BAD || next == PGRES_POLLING_FAILED)
            return fail_line(db, err);
        if (!await(db, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until_ms, err))
            return false;
        next = PQconnectPoll(db->connection);
    }
    PQsetNoticeReceiver(db->connection, ignore_notice, NULL);
    return PQsetnonblocking(db->connection, 1) == 0 || fail_line(db, err);
}

bool db_postgres_open(Db **out, const char *address, StoreMode mode, const atomic_bool *stop,
                      Error *err)
{
    PostgresDb *db = calloc(1, sizeof *db);
    if (!db || !(db->name = strdup(address))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(db);
        return false;
    }
    db->db.kind = &postgres_kind;
    db->stop = stop;
    if (!connect_to(db, err) || !check_schema(db, mode, err)) {
        close_db(&db->db);
        return false;
    }
    *out = &db->db;
    return true;
}
