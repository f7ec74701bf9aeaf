/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/store.h"

#include "bot/archive/move_lists.h"
#include "bot/archive/replay.h"
#include "bot/archive/state_dir.h"
#include "bot/archive/store_db.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    APPLICATION_ID = 0x6361736c, /* "casl": marks our files */
    BUSY_MS = 2000,              /* how long another writer is waited for */
    LISTS_MAX = 1 << 20,         /* bytes of one list of a game's moves */
};

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
};

static const char *const statement_texts[STATEMENT_COUNT] = {
    [STATEMENT_HAS_GAME] = "SELECT 1 FROM game WHERE id = ? AND plies >= ? AND outcome <> 'none'",
    [STATEMENT_ADD_GAME] =
        "INSERT OR REPLACE INTO game (id, created_ms, ended_ms, variant, speed, rated, initial_ms,"
        " increment_ms, days, white_id, white, white_title, white_rating, white_ai, black_id,"
        " black, black_title, black_rating, black_ai, our_colour, opponent_id, opponent_is_bot,"
        " status, winner, result, outcome, tournament_id, initial_fen, plies) VALUES (?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_ADD_MOVES] = ("INSERT INTO moves (game, uci, clocks_ms, scores, depths, nodes,"
                             " times_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"),
    [STATEMENT_ADD_BOOK_MOVE] = "INSERT INTO book_move (game, ply, key, move) VALUES (?, ?, ?, ?)",
    [STATEMENT_PUT_FACT] = "INSERT OR REPLACE INTO fact (key, value, expires_ms) VALUES (?, ?, ?)",
    [STATEMENT_DROP_FACT] = "DELETE FROM fact WHERE key = ?",
    [STATEMENT_EXPIRE_FACTS] = "DELETE FROM fact WHERE expires_ms <= ?",
    [STATEMENT_READ_FACTS] = "SELECT key, value, expires_ms FROM fact WHERE expires_ms > ?",
    [STATEMENT_READ_BOOK_STATS] =
        "SELECT key, move, sum(outcome = 'win'), sum(outcome = 'draw'), sum(outcome = 'loss')"
        " FROM book_move JOIN game ON number = game WHERE outcome <> 'none'"
        " GROUP BY key, move ORDER BY count(*) DESC LIMIT ?",
};

static bool is_hopeless(int code)
{
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR ||
           code == SQLITE_SCHEMA;
}

/* What says no to this one row, and would to none of the others. */
static bool is_about_the_row(int code)
{
    return code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH || code == SQLITE_TOOBIG;
}

bool store_failed(const Store *store, Error *err)
{
    int code = sqlite3_errcode(store->db) & 0xff;
    const char *what = code == SQLITE_NOTADB ? "not a castled archive" : sqlite3_errmsg(store->db);
    error_set(err,
              is_hopeless(code)        ? ERR_INVALID
              : is_about_the_row(code) ? ERR_RANGE
                                       : ERR_IO,
              "%s: %s", store->path, what);
    return false;
}

static bool run(Store *store, const char *sql, Error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_failed(store, err);
}

static sqlite3_stmt *statement(Store *store, Statement which, Error *err)
{
    sqlite3_stmt **at = &store->statements[which];
    if (!*at && sqlite3_prepare_v3(store->db, statement_texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                   at, NULL) != SQLITE_OK) {
        (void)store_failed(store, err);
        return NULL;
    }
    return *at;
}

/* Carries a statement without rows out, and leaves it ready for the next time. */
static bool carry_out(Store *store, sqlite3_stmt *with, Error *err)
{
    bool ok = sqlite3_step(with) == SQLITE_DONE || store_failed(store, err);
    sqlite3_reset(with);
    sqlite3_clear_bindings(with);
    return ok;
}

/* Opening. */

static bool read_number(Store *store, const char *pragma, int *out, Error *err)
{
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(store->db, pragma, -1, &question, NULL) != SQLITE_OK)
        return store_failed(store, err);
    bool ok = sqlite3_step(question) == SQLITE_ROW || store_failed(store, err);
    if (ok)
        *out = sqlite3_column_int(question, 0);
    sqlite3_finalize(question);
    return ok;
}

static bool migrate(Store *store, int version, Error *err)
{
    for (; version < STORE_SCHEMA; version++) {
        char stamp[80];
        int len = snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
                           APPLICATION_ID, version + 1);
        assert(len > 0 && (size_t)len < sizeof stamp);
        (void)len;
        if (!run(store, "BEGIN IMMEDIATE", err))
            return false;
        if (!run(store, migrations[version], err) || !run(store, stamp, err) ||
            !run(store, "COMMIT", err)) {
            sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
            return false;
        }
    }
    return true;
}

static bool check_version(Store *store, StoreMode mode, Error *err)
{
    int id, version, tables;
    if (!read_number(store, "PRAGMA application_id", &id, err) ||
        !read_number(store, "PRAGMA user_version", &version, err) ||
        !read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, err))
        return false;
    bool is_empty = tables == 0 && id == 0 && version == 0;
    if (!is_empty && id != APPLICATION_ID) {
        error_set(err, ERR_INVALID, "%s: a database, but not a castled archive", store->path);
        return false;
    }
    if (version > STORE_SCHEMA || version < 0) {
        error_set(err, ERR_INVALID,
                  "%s: written by a newer castled (schema %d; this one reads up to %d)",
                  store->path, version, STORE_SCHEMA);
        return false;
    }
    if (version == STORE_SCHEMA)
        return true;
    if (mode == STORE_READ) {
        error_set(err, ERR_INVALID, "%s: of an older castled: `castled run` brings it up to date",
                  store->path);
        return false;
    }
    return migrate(store, version, err);
}

/* Nothing that stands in a file may run as code of ours, and little memory goes into its cache. */
static bool set_up(Store *store, StoreMode mode, Error *err)
{
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    const char *cache = mode == STORE_READ ? "PRAGMA cache_size=-16384" : "PRAGMA cache_size=-256";
    if (!run(store, cache, err) || !run(store, "PRAGMA foreign_keys=ON", err) ||
        !check_version(store, mode, err))
        return false;
    return mode == STORE_READ || run(store,
                                     "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                     "PRAGMA journal_size_limit=1048576;",
                                     err);
}

static bool check_file(const char *path, StoreMode mode, Error *err)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        int cause = errno;
        if (cause == ENOENT && mode == STORE_WRITE)
            return state_dir_make(path, err);
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

bool store_new(Store **out, const char *path, StoreMode mode, Error *err)
{
    int flags =
        mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (!check_file(path, mode, err))
        return false;
    Store *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(store);
        return false;
    }
    bool ok = sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    if (!ok && store->db)
        (void)store_failed(store, err);
    else if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    if (!ok || !set_up(store, mode, err)) {
        store_free(store);
        return false;
    }
    *out = store;
    return true;
}

void store_free(Store *store)
{
    if (!store)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

/* Writing. */

/* Numbers of which 0 says that they are not known or not there. */
static void bind_some(sqlite3_stmt *to, int *at, int64_t number)
{
    ++*at;
    if (number != 0)
        sqlite3_bind_int64(to, *at, number);
}

static void bind_colour(sqlite3_stmt *to, int *at, Colour colour)
{
    store_bind_text(to, at, colour == COLOUR_NONE ? NULL : colour_name(colour));
}

static const char *outcome_word(const GameRecord *record)
{
    if (record->winner != COLOUR_NONE && record->us != COLOUR_NONE)
        return record->winner == record->us ? "win" : "loss";
    return record_result(record->status, record->winner)[0] == '*' ? "none" : "draw";
}

static void bind_player(sqlite3_stmt *to, int *at, const RecordPlayer *player)
{
    store_bind_text(to, at, player->id);
    store_bind_text(to, at, player->name);
    store_bind_text(to, at, player->title);
    bind_some(to, at, player->rating);
    bind_some(to, at, player->ai_level);
}

static void bind_game(sqlite3_stmt *to, const GameRecord *record)
{
    int at = 0;
    const RecordPlayer *them = &record->players[record->us == WHITE ? BLACK : WHITE];
    store_bind_text(to, &at, record->id);
    bind_some(to, &at, record->created_at_ms);
    store_bind_number(to, &at, record->ended_at_ms);
    store_bind_text(to, &at, variant_name(record->variant));
    store_bind_text(to, &at, speed_name(record->speed));
    store_bind_number(to, &at, record->rated);
    if (record->has_clock) {
        store_bind_number(to, &at, record->initial_ms);
        store_bind_number(to, &at, record->increment_ms);
    } else {
        at += 2;
    }
    bind_some(to, &at, record->days_per_turn);
    bind_player(to, &at, &record->players[WHITE]);
    bind_player(to, &at, &record->players[BLACK]);
    bind_colour(to, &at, record->us);
    store_bind_text(to, &at, them->id);
    store_bind_number(to, &at, strcmp(them->title, "BOT") == 0 || them->ai_level > 0);
    store_bind_text(to, &at, status_name(record->status));
    bind_colour(to, &at, record->winner);
    store_bind_text(to, &at, record_result(record->status, record->winner));
    store_bind_text(to, &at, outcome_word(record));
    store_bind_text(to, &at, record->tournament_id);
    store_bind_text(to, &at, record->initial_fen);
    store_bind_number(to, &at, (int64_t)record->count);
}

static bool add_move_lists(Store *store, const GameRecord *record, Error *err)
{
    sqlite3_stmt *moves = statement(store, STATEMENT_ADD_MOVES, err);
    if (!moves)
        return false;
    bool ok = true;
    Buf lists[MOVE_LIST_COUNT];
    sqlite3_bind_int64(moves, 1, sqlite3_last_insert_rowid(store->db));
    for (int i = 0; i < MOVE_LIST_COUNT; i++) {
        buf_init(&lists[i], LISTS_MAX);
        ok = ok && move_list_write(record, (MoveListKind)i, &lists[i]);
        sqlite3_bind_text(moves, i + 2, buf_view(&lists[i]), -1, SQLITE_STATIC);
    }
    if (!ok)
        error_set(err, ERR_MEMORY, "game %s: no memory", record->id);
    ok = ok && carry_out(store, moves, err);
    for (int i = 0; i < MOVE_LIST_COUNT; i++)
        buf_release(&lists[i]);
    return ok;
}

static bool add_book_moves(Store *store, const GameRecord *record, int64_t number, Error *err)
{
    BookStep steps[BOOK_STEPS_MAX];
    size_t count = replay_book_steps(record, steps);
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *step = statement(store, STATEMENT_ADD_BOOK_MOVE, err);
        int at = 0;
        if (!step)
            return false;
        store_bind_number(step, &at, number);
        store_bind_number(step, &at, steps[i].ply);
        store_bind_number(step, &at, (int64_t)steps[i].key);
        store_bind_number(step, &at, steps[i].move);
        if (!carry_out(store, step, err))
            return false;
    }
    return true;
}

/* Is as much of the game there already? What the server sends again after a restart lacks our
 * evaluations. */
static bool has_game(Store *store, const GameRecord *record, bool *out, Error *err)
{
    sqlite3_stmt *question = statement(store, STATEMENT_HAS_GAME, err);
    int at = 0;
    if (!question)
        return false;
    store_bind_text(question, &at, record->id);
    store_bind_number(question, &at, (int64_t)record->count);
    int code = sqlite3_step(question);
    *out = code == SQLITE_ROW;
    bool ok = *out || code == SQLITE_DONE || store_failed(store, err);
    sqlite3_reset(question);
    sqlite3_clear_bindings(question);
    return ok;
}

static bool add_rows(Store *store, const GameRecord *record, Error *err)
{
    bool is_there;
    if (!has_game(store, record, &is_there, err))
        return false;
    if (is_there)
        return true;
    sqlite3_stmt *game = statement(store, STATEMENT_ADD_GAME, err);
    if (!game)
        return false;
    bind_game(game, record);
    if (!carry_out(store, game, err))
        return false;
    int64_t number = sqlite3_last_insert_rowid(store->db);
    return add_move_lists(store, record, err) && add_book_moves(store, record, number, err);
}

bool store_add_game(Store *store, const GameRecord *record, Error *err)
{
    if (!run(store, "BEGIN IMMEDIATE", err))
        return false;
    if (add_rows(store, record, err) && run(store, "COMMIT", err))
        return true;
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool store_put_fact(Store *store, const char *key, const char *value, int64_t expires_ms,
                    Error *err)
{
    bool is_gone = value[0] == '\0';
    sqlite3_stmt *put = statement(store, is_gone ? STATEMENT_DROP_FACT : STATEMENT_PUT_FACT, err);
    if (!put)
        return false;
    int at = 0;
    store_bind_text(put, &at, key);
    if (!is_gone) {
        store_bind_text(put, &at, value);
        store_bind_number(put, &at, expires_ms);
    }
    return carry_out(store, put, err);
}

/* Reading. */

bool store_read_facts(Store *store, int64_t now_ms, StoreOnFact *on_fact, void *user, Error *err)
{
    sqlite3_stmt *expire = statement(store, STATEMENT_EXPIRE_FACTS, err);
    sqlite3_stmt *facts = expire ? statement(store, STATEMENT_READ_FACTS, err) : NULL;
    if (!facts)
        return false;
    int code;
    sqlite3_bind_int64(facts, 1, now_ms);
    while ((code = sqlite3_step(facts)) == SQLITE_ROW)
        on_fact(user, store_column_text(facts, 0), store_column_text(facts, 1),
                sqlite3_column_int64(facts, 2));
    bool ok = code == SQLITE_DONE || store_failed(store, err);
    sqlite3_reset(facts);
    sqlite3_bind_int64(expire, 1, now_ms);
    return ok && carry_out(store, expire, err);
}

/* A count of games; what is none is cut to fit. */
static uint32_t column_count(sqlite3_stmt *row, int column)
{
    int64_t number = sqlite3_column_int64(row, column);
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

bool store_read_book_stats(Store *store, BookStats *out, Error *err)
{
    sqlite3_stmt *rows = statement(store, STATEMENT_READ_BOOK_STATS, err);
    if (!rows)
        return false;
    int code;
    sqlite3_bind_int64(rows, 1, BOOK_STATS_MAX);
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        const Results results = { column_count(rows, 2), column_count(rows, 3),
                                  column_count(rows, 4) };
        /* Another number than a move is never asked for. */
        if (!book_stats_add(out, (uint64_t)sqlite3_column_int64(rows, 0),
                            (Move)sqlite3_column_int(rows, 1), &results))
            continue;
    }
    bool ok = code == SQLITE_DONE || store_failed(store, err);
    sqlite3_reset(rows);
    return ok;
}
