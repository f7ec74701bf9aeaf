/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/db_sqlite.h"

#include "bot/review/eco.h"
#include "bot/archive/state_dir.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x6361736c, /* "casl": marks our files */
    BUSY_MS = 2000,              /* how long another writer is waited for, */
    BUSY_LOOK_MS = 20,           /* and how often is looked */
    STEPS_PER_LOOK = 1000, /* of SQLite's machine, between two looks at the stop: far below 1 ms */
};

typedef struct {
    Db db;
    sqlite3 *handle;
    char *path;
    const atomic_bool *stop; /* NULL: nobody stops it */
} SqliteDb;

typedef struct {
    DbQuery query;
    sqlite3_stmt *statement;
} SqliteQuery;

/* From each version of the schema to the next; never change one that was released. */
static const char *const migrations[STORE_SCHEMA] = {
    "CREATE TABLE game ("
    " number INTEGER PRIMARY KEY,"
    " id TEXT NOT NULL UNIQUE,"
    " created_ms INTEGER, ended_ms INTEGER NOT NULL," /* Unix */
    " variant TEXT NOT NULL, speed TEXT NOT NULL, rated INTEGER NOT NULL,"
    " initial_ms INTEGER, increment_ms INTEGER, days INTEGER," /* NULL: without */
    " white_id TEXT, white TEXT, white_title TEXT, white_rating INTEGER, white_ai INTEGER,"
    " black_id TEXT, black TEXT, black_title TEXT, black_rating INTEGER, black_ai INTEGER,"
    " our_colour TEXT, opponent_id TEXT, opponent_is_bot INTEGER NOT NULL,"
    " status TEXT NOT NULL, winner TEXT, result TEXT NOT NULL,"
    " outcome TEXT NOT NULL," /* for us: win, loss, draw, none */
    " tournament_id TEXT, initial_fen TEXT, plies INTEGER NOT NULL);"
    /* The filters' columns stand in it, so that a search that finds little reads little. */
    "CREATE INDEX game_by_end ON game"
    " (ended_ms, variant, speed, rated, outcome, opponent_is_bot);"
    "CREATE INDEX game_by_opponent ON game (opponent_id, ended_ms);"
    "CREATE TABLE moves ("
    " game INTEGER PRIMARY KEY REFERENCES game (number) ON DELETE CASCADE,"
    " uci TEXT NOT NULL," /* words apart by a blank, one for each ply; '-' where there is none */
    " clocks_ms TEXT NOT NULL, scores TEXT NOT NULL, depths TEXT NOT NULL, nodes TEXT NOT NULL,"
    " times_ms TEXT NOT NULL);",

    "CREATE TABLE fact ("
    " key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_ms INTEGER NOT NULL) WITHOUT ROWID;",

    /* Our moves that a book gave: the position's Polyglot key, and the move in 16 bits. */
    "CREATE TABLE book_move ("
    " game INTEGER NOT NULL REFERENCES game (number) ON DELETE CASCADE,"
    " ply INTEGER NOT NULL, key INTEGER NOT NULL, move INTEGER NOT NULL,"
    " PRIMARY KEY (game, ply)) WITHOUT ROWID;",

    /* Results against humans and bots, which the daemon reads after each game, without the rest. */
    "CREATE INDEX game_by_kind ON game"
    " (opponent_is_bot, outcome, our_colour, white_rating, black_rating);",

    /* ECO code and name, as eco.h has them; NULL: without. opening_of() is ours. */
    "ALTER TABLE game ADD COLUMN opening TEXT;"
    "UPDATE game SET opening = (SELECT opening_of(uci) FROM moves WHERE moves.game = number)"
    " WHERE variant = 'standard' AND initial_fen IS NULL;",

    /* Of our engine, after the game; see store_analysis.h. Lists as in eval_lists.h. */
    "CREATE TABLE analysis ("
    " game INTEGER PRIMARY KEY REFERENCES game (number) ON DELETE CASCADE,"
    " nodes INTEGER NOT NULL, version TEXT NOT NULL," /* for each position; castled's */
    " scores TEXT NOT NULL, depths TEXT NOT NULL, best TEXT NOT NULL,"
    " accuracy INTEGER, their_accuracy INTEGER," /* thousandths, and so the winning chances: */
    " lost_chess INTEGER NOT NULL, lost_clock INTEGER NOT NULL, lost_book INTEGER NOT NULL,"
    " lost_fault INTEGER NOT NULL,"
    " cause TEXT);", /* what the game was lost by, if we lost it */

    /* Which account of ours played: a server has the games of many. */
    "ALTER TABLE game ADD COLUMN account TEXT GENERATED ALWAYS AS"
    " (coalesce(CASE our_colour WHEN 'white' THEN white_id ELSE black_id END, '')) VIRTUAL;",

    /* The external engine that found our moves, as external_version.h names it; NULL: not known. */
    "ALTER TABLE game ADD COLUMN engine TEXT;",

    /* The opponent's, as engine_names.h names it; NULL: not known. */
    "ALTER TABLE game ADD COLUMN opponent_engine TEXT;",

    /* Our principal variations, as move_lists.h has them; NULL: of an older castled. */
    "ALTER TABLE moves ADD COLUMN pvs TEXT;",

    /* Faults of the external engine; NULL: of an older castled. */
    "ALTER TABLE game ADD COLUMN strikes INTEGER;",
};

/* The file is no archive. A statement that fails, as somebody has taken a table away, is no such
 * thing: what stands in the file may be mended, and what waits for it is kept until then. */
static bool is_hopeless(int code)
{
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
}

/* What says no to this one row, and would to none of the others. */
static bool is_about_the_row(int code)
{
    return code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH || code == SQLITE_TOOBIG;
}

/* Says what SQLite last complained about; returns false. */
static bool failed(const SqliteDb *db, Error *err)
{
    int code = sqlite3_errcode(db->handle) & 0xff;
    const char *what = code == SQLITE_NOTADB ? "not a castled archive" : sqlite3_errmsg(db->handle);
    error_set(err,
              is_hopeless(code)        ? ERR_INVALID
              : is_about_the_row(code) ? ERR_RANGE
                                       : ERR_IO,
              "%s: %s", db->path, what);
    return false;
}

static SqliteDb *db_of(const DbQuery *query)
{
    return (SqliteDb *)query->db;
}

static sqlite3_stmt *statement_of(const DbQuery *query)
{
    return ((const SqliteQuery *)query)->statement;
}

static void close_db(Db *db)
{
    SqliteDb *own = (SqliteDb *)db;
    sqlite3_close(own->handle);
    free(own->path);
    free(own);
}

static bool has_moved(Db *db)
{
    int moved = 0;
    sqlite3_file_control(((SqliteDb *)db)->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

static void checkpoint(Db *db)
{
    sqlite3_wal_checkpoint_v2(((SqliteDb *)db)->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                              NULL);
}

static bool run(Db *db, const char *sql, Error *err)
{
    SqliteDb *own = (SqliteDb *)db;
    return sqlite3_exec(own->handle, sql, NULL, NULL, NULL) == SQLITE_OK || failed(own, err);
}

static DbQuery *prepare(Db *db, const char *sql, Error *err)
{
    SqliteDb *own = (SqliteDb *)db;
    SqliteQuery *query = calloc(1, sizeof *query);
    if (!query) {
        error_set(err, ERR_MEMORY, "no memory");
        return NULL;
    }
    if (sqlite3_prepare_v3(own->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &query->statement,
                           NULL) != SQLITE_OK) {
        (void)failed(own, err);
        free(query);
        return NULL;
    }
    return &query->query;
}

static void bind_text(DbQuery *query, int at, const char *text)
{
    sqlite3_bind_text(statement_of(query), at + 1, text, -1, SQLITE_STATIC);
}

static void bind_number(DbQuery *query, int at, int64_t number)
{
    sqlite3_bind_int64(statement_of(query), at + 1, number);
}

static DbStep step(DbQuery *query, Error *err)
{
    switch (sqlite3_step(statement_of(query))) {
    case SQLITE_ROW:
        return DB_ROW;
    case SQLITE_DONE:
        return DB_DONE;
    default:
        (void)failed(db_of(query), err);
        return DB_FAILED;
    }
}

static void reset(DbQuery *query)
{
    sqlite3_reset(statement_of(query));
    sqlite3_clear_bindings(statement_of(query));
}

static void finish(DbQuery *query)
{
    sqlite3_finalize(statement_of(query));
    free(query);
}

static bool is_null(const DbQuery *query, int column)
{
    return sqlite3_column_type(statement_of(query), column) == SQLITE_NULL;
}

static const char *text(const DbQuery *query, int column)
{
    const char *at = (const char *)sqlite3_column_text(statement_of(query), column);
    return at ? at : "";
}

static int64_t number(const DbQuery *query, int column)
{
    return sqlite3_column_int64(statement_of(query), column);
}

static double real(const DbQuery *query, int column)
{
    return sqlite3_column_double(statement_of(query), column);
}

static const DbKind sqlite_kind = {
    .begin = "BEGIN IMMEDIATE",
    .close = close_db,
    .has_moved = has_moved,
    .checkpoint = checkpoint,
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

/* In SQL: opening_of(UCI) names the opening of a game that began as usual. */
static void name_opening(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *uci = (const char *)sqlite3_value_text(values[0]);
    EcoOpening opening;
    char title[ECO_TITLE_SIZE];
    (void)count;
    if (!uci || !eco_of_game(VARIANT_STANDARD, "", text_of(uci), &opening))
        return; /* NULL */
    eco_title_write(&opening, title);
    sqlite3_result_text(context, title, -1, SQLITE_TRANSIENT);
}

static bool read_number(SqliteDb *db, const char *pragma, int *out, Error *err)
{
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(db->handle, pragma, -1, &question, NULL) != SQLITE_OK)
        return failed(db, err);
    bool ok = sqlite3_step(question) == SQLITE_ROW || failed(db, err);
    if (ok)
        *out = sqlite3_column_int(question, 0);
    sqlite3_finalize(question);
    return ok;
}

static bool tell_upgrade(SqliteDb *db, int version, const StoreUpgrade *upgrade, Error *err)
{
    int games;
    if (!upgrade)
        return true;
    if (!read_number(db, "SELECT count(*) FROM game", &games, err))
        return false;
    upgrade->on_step(upgrade->user, version, games);
    return true;
}

static bool run_migrations(SqliteDb *db, int from, int to, Error *err)
{
    char stamp[80];
    text_format(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
                APPLICATION_ID, to);
    for (int version = from; version < to; version++)
        if (!run(&db->db, migrations[version], err))
            return false;
    return run(&db->db, stamp, err);
}

/* One step, or for a new archive all of them, in one transaction: on a slow disk each costs
 * seconds. Another process may do the same: what the version is counts once nobody else writes. */
static bool migrate_once(SqliteDb *db, int *version, Error *err)
{
    if (!db_begin(&db->db, err))
        return false;
    if (read_number(db, "PRAGMA user_version", version, err)) {
        int to = *version == 0 ? STORE_SCHEMA : *version < STORE_SCHEMA ? *version + 1 : *version;
        if ((to == *version || run_migrations(db, *version, to, err)) && db_commit(&db->db, err)) {
            *version = to;
            return true;
        }
    }
    db_rollback(&db->db);
    return false;
}

static bool migrate(SqliteDb *db, int version, const StoreUpgrade *upgrade, Error *err)
{
    if (sqlite3_create_function(db->handle, "opening_of", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
                                name_opening, NULL, NULL) != SQLITE_OK)
        return failed(db, err);
    while (version < STORE_SCHEMA) {
        bool is_new = version == 0; /* nobody waits for that */
        if ((!is_new && !tell_upgrade(db, version, upgrade, err)) ||
            !migrate_once(db, &version, err))
            return false;
    }
    return true;
}

static bool set_up_writing(SqliteDb *db, Error *err)
{
    return run(&db->db,
               "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
               "PRAGMA journal_size_limit=1048576;",
               err);
}

static bool check_version(SqliteDb *db, StoreMode mode, const StoreUpgrade *upgrade, Error *err)
{
    int id, version, tables;
    if (!read_number(db, "PRAGMA application_id", &id, err) ||
        !read_number(db, "PRAGMA user_version", &version, err) ||
        !read_number(db, "SELECT count(*) FROM sqlite_schema", &tables, err))
        return false;
    bool is_empty = tables == 0 && id == 0 && version == 0;
    if (!is_empty && id != APPLICATION_ID) {
        error_set(err, ERR_INVALID, "%s: a database, but not a castled archive", db->path);
        return false;
    }
    if (version > STORE_SCHEMA || version < 0) {
        error_set(err, ERR_INVALID,
                  "%s: written by a newer castled (schema %d; this one reads up to %d)", db->path,
                  version, STORE_SCHEMA);
        return false;
    }
    if (mode == STORE_WRITE)
        return set_up_writing(db, err) && migrate(db, version, upgrade, err);
    if (version < STORE_SCHEMA)
        error_set(err, ERR_INVALID, "%s: of an older castled: `castled run` brings it up to date",
                  db->path);
    return version == STORE_SCHEMA;
}

static int db_sqlite_on_steps(void *user)
{
    const SqliteDb *db = user;
    return atomic_load(db->stop);
}

/* Another connection has the lock, and this one has waited so many times. */
static int db_sqlite_on_busy(void *user, int count)
{
    const SqliteDb *db = user;
    if ((db->stop && atomic_load(db->stop)) || count >= BUSY_MS / BUSY_LOOK_MS)
        return 0;
    sqlite3_sleep(BUSY_LOOK_MS);
    return 1;
}

/* Nothing that stands in a file may run as code of ours, and little memory goes into its cache. */
static bool set_up(SqliteDb *db, StoreMode mode, const StoreUpgrade *upgrade, Error *err)
{
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_busy_handler(db->handle, db_sqlite_on_busy, db);
    if (db->stop)
        sqlite3_progress_handler(db->handle, STEPS_PER_LOOK, db_sqlite_on_steps, db);
    const char *cache = mode == STORE_READ ? "PRAGMA cache_size=-16384" : "PRAGMA cache_size=-256";
    return run(&db->db, cache, err) && run(&db->db, "PRAGMA foreign_keys=ON", err) &&
           check_version(db, mode, upgrade, err);
}

/* Whom we play is nobody else's business, whatever the umask; SQLite gives its
 * files beside this one the same mode. Whoever has opened an archive to others is let be. */
static bool make_file(const char *path, Error *err)
{
    if (!state_dir_make(path, err))
        return false;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0) {
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

static bool check_file(const char *path, StoreMode mode, Error *err)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        int cause = errno;
        if (cause == ENOENT && mode == STORE_WRITE)
            return make_file(path, err);
        error_set(err, ERR_IO, "%s: %s", path,
                  cause == ENOENT ? "there is no archive yet" : strerror(cause));
        return false;
    }
    if (!S_ISREG(facts.st_mode)) {
        error_set(err, ERR_INVALID, "%s: not a file", path);
        return false;
    }
    return true;
}

bool db_sqlite_open(Db **out, const char *path, StoreMode mode, const atomic_bool *stop,
                    const StoreUpgrade *upgrade, Error *err)
{
    int flags =
        mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (!check_file(path, mode, err))
        return false;
    SqliteDb *db = calloc(1, sizeof *db);
    if (!db || !(db->path = strdup(path))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(db);
        return false;
    }
    db->db.kind = &sqlite_kind;
    db->stop = stop;
    bool ok = sqlite3_open_v2(path, &db->handle, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    if (!ok && db->handle)
        (void)failed(db, err);
    else if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    if (!ok || !set_up(db, mode, upgrade, err)) {
        close_db(&db->db);
        return false;
    }
    *out = &db->db;
    return true;
}
