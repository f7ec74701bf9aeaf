/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/store.h"

#include "bot/archive/move_lists.h"
#include "bot/archive/state_dir.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    APPLICATION_ID = 0x6361736c, /* "casl": tells our files from others */
    BUSY_MS = 2000,              /* how long another writer is waited for */
    LISTS_MAX = 1 << 20,         /* bytes of one list of a game's moves */
};

typedef enum {
    STATEMENT_ADD_GAME,
    STATEMENT_ADD_MOVES,
    STATEMENT_PUT_FACT,
    STATEMENT_DROP_FACT,
    STATEMENT_EXPIRE_FACTS,
    STATEMENT_READ_FACTS,
    STATEMENT_COUNT,
} Statement;

struct Store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT]; /* prepared when first needed */
    char *path;
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
};

static const char *const statement_texts[STATEMENT_COUNT] = {
    [STATEMENT_ADD_GAME] =
        "INSERT OR REPLACE INTO game (id, created_ms, ended_ms, variant, speed, rated, initial_ms,"
        " increment_ms, days, white_id, white, white_title, white_rating, white_ai, black_id,"
        " black, black_title, black_rating, black_ai, our_colour, opponent_id, opponent_is_bot,"
        " status, winner, result, outcome, tournament_id, initial_fen, plies) VALUES (?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_ADD_MOVES] = ("INSERT INTO moves (game, uci, clocks_ms, scores, depths, nodes,"
                             " times_ms) VALUES (last_insert_rowid(), ?, ?, ?, ?, ?, ?)"),
    [STATEMENT_PUT_FACT] = "INSERT OR REPLACE INTO fact (key, value, expires_ms) VALUES (?, ?, ?)",
    [STATEMENT_DROP_FACT] = "DELETE FROM fact WHERE key = ?",
    [STATEMENT_EXPIRE_FACTS] = "DELETE FROM fact WHERE expires_ms <= ?",
    [STATEMENT_READ_FACTS] = "SELECT key, value, expires_ms FROM fact WHERE expires_ms > ?",
};

static bool is_hopeless(int code)
{
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR ||
           code == SQLITE_SCHEMA || code == SQLITE_MISMATCH || code == SQLITE_CONSTRAINT;
}

static bool failed(const Store *store, Error *err)
{
    int code = sqlite3_errcode(store->db) & 0xff;
    const char *what = code == SQLITE_NOTADB ? "not a castled archive" : sqlite3_errmsg(store->db);
    error_set(err, is_hopeless(code) ? ERR_INVALID : ERR_IO, "%s: %s", store->path, what);
    return false;
}

static bool run(Store *store, const char *sql, Error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(store, err);
}

static sqlite3_stmt *statement(Store *store, Statement which, Error *err)
{
    sqlite3_stmt **at = &store->statements[which];
    if (!*at && sqlite3_prepare_v3(store->db, statement_texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                   at, NULL) != SQLITE_OK) {
        (void)failed(store, err);
        return NULL;
    }
    return *at;
}

/* Carries a statement without rows out, and leaves it ready for the next time. */
static bool carry_out(Store *store, sqlite3_stmt *with, Error *err)
{
    bool ok = sqlite3_step(with) == SQLITE_DONE || failed(store, err);
    sqlite3_reset(with);
    sqlite3_clear_bindings(with);
    return ok;
}

/* Opening. */

static bool read_number(Store *store, const char *pragma, int *out, Error *err)
{
    sqlite3_stmt *question;
    if (sqlite3_prepare_v2(store->db, pragma, -1, &question, NULL) != SQLITE_OK)
        return failed(store, err);
    bool ok = sqlite3_step(question) == SQLITE_ROW || failed(store, err);
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
                  "%s: written by a newer castled (schema %d; this one knows up to %d)",
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

bool store_open(Store **out, const char *path, StoreMode mode, Error *err)
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
        (void)failed(store, err);
    else if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    if (!ok || !set_up(store, mode, err)) {
        store_close(store);
        return false;
    }
    *out = store;
    return true;
}

void store_close(Store *store)
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

static void bind_text(sqlite3_stmt *to, int *at, const char *text)
{
    ++*at;
    if (text && text[0] != '\0')
        sqlite3_bind_text(to, *at, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *to, int *at, int64_t number)
{
    sqlite3_bind_int64(to, ++*at, number);
}

/* Numbers of which 0 says that they are not known or not there. */
static void bind_some(sqlite3_stmt *to, int *at, int64_t number)
{
    ++*at;
    if (number != 0)
        sqlite3_bind_int64(to, *at, number);
}

static const char *colour_word(Colour colour)
{
    return colour == WHITE ? "white" : colour == BLACK ? "black" : NULL;
}

static const char *outcome_word(const GameRecord *record)
{
    if (record->winner != COLOUR_NONE && record->us != COLOUR_NONE)
        return record->winner == record->us ? "win" : "loss";
    return record_result(record->status, record->winner)[0] == '*' ? "none" : "draw";
}

static void bind_player(sqlite3_stmt *to, int *at, const RecordPlayer *player)
{
    bind_text(to, at, player->id);
    bind_text(to, at, player->name);
    bind_text(to, at, player->title);
    bind_some(to, at, player->rating);
    bind_some(to, at, player->ai_level);
}

static void bind_game(sqlite3_stmt *to, const GameRecord *record)
{
    int at = 0;
    const RecordPlayer *them = &record->players[record->us == WHITE ? BLACK : WHITE];
    bind_text(to, &at, record->id);
    bind_some(to, &at, record->created_at_ms);
    bind_number(to, &at, record->ended_at_ms);
    bind_text(to, &at, variant_name(record->variant));
    bind_text(to, &at, speed_name(record->speed));
    bind_number(to, &at, record->rated);
    if (record->has_clock) {
        bind_number(to, &at, record->initial_ms);
        bind_number(to, &at, record->increment_ms);
    } else {
        at += 2;
    }
    bind_some(to, &at, record->days_per_turn);
    bind_player(to, &at, &record->players[WHITE]);
    bind_player(to, &at, &record->players[BLACK]);
    bind_text(to, &at, colour_word(record->us));
    bind_text(to, &at, them->id);
    bind_number(to, &at, strcmp(them->title, "BOT") == 0 || them->ai_level > 0);
    bind_text(to, &at, status_name(record->status));
    bind_text(to, &at, colour_word(record->winner));
    bind_text(to, &at, record_result(record->status, record->winner));
    bind_text(to, &at, outcome_word(record));
    bind_text(to, &at, record->tournament_id);
    bind_text(to, &at, record->initial_fen);
    bind_number(to, &at, (int64_t)record->count);
}

static bool add_rows(Store *store, const GameRecord *record, Error *err)
{
    sqlite3_stmt *game = statement(store, STATEMENT_ADD_GAME, err);
    sqlite3_stmt *moves = game ? statement(store, STATEMENT_ADD_MOVES, err) : NULL;
    if (!moves)
        return false;
    bind_game(game, record);
    if (!carry_out(store, game, err))
        return false;
    bool ok = true;
    Buf lists[MOVE_LIST_COUNT];
    for (int i = 0; i < MOVE_LIST_COUNT; i++) {
        buf_init(&lists[i], LISTS_MAX);
        ok = ok && move_list_write(record, (MoveListKind)i, &lists[i]);
        sqlite3_bind_text(moves, i + 1, buf_view(&lists[i]), -1, SQLITE_STATIC);
    }
    if (!ok)
        error_set(err, ERR_MEMORY, "game %s: no memory", record->id);
    ok = ok && carry_out(store, moves, err);
    for (int i = 0; i < MOVE_LIST_COUNT; i++)
        buf_release(&lists[i]);
    return ok;
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
    bind_text(put, &at, key);
    if (!is_gone) {
        bind_text(put, &at, value);
        bind_number(put, &at, expires_ms);
    }
    return carry_out(store, put, err);
}

/* Reading. */

static const char *column_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

bool store_read_facts(Store *store, int64_t now_ms, StoreOnFact *on_fact, void *user, Error *err)
{
    sqlite3_stmt *expire = statement(store, STATEMENT_EXPIRE_FACTS, err);
    sqlite3_stmt *facts = expire ? statement(store, STATEMENT_READ_FACTS, err) : NULL;
    if (!facts)
        return false;
    int code;
    sqlite3_bind_int64(facts, 1, now_ms);
    while ((code = sqlite3_step(facts)) == SQLITE_ROW)
        on_fact(user, column_text(facts, 0), column_text(facts, 1), sqlite3_column_int64(facts, 2));
    bool ok = code == SQLITE_DONE || failed(store, err);
    sqlite3_reset(facts);
    sqlite3_bind_int64(expire, 1, now_ms);
    return ok && carry_out(store, expire, err);
}

static void copy_text(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size)
        len = 0;
    memcpy(out, text, len);
    out[len] = '\0';
}

static int read_player(RecordPlayer *out, sqlite3_stmt *row, int column)
{
    copy_text(out->id, sizeof out->id, column_text(row, column));
    copy_text(out->name, sizeof out->name, column_text(row, column + 1));
    copy_text(out->title, sizeof out->title, column_text(row, column + 2));
    out->rating = sqlite3_column_int(row, column + 3);
    out->ai_level = sqlite3_column_int(row, column + 4);
    return column + 5;
}

static Colour colour_of(const char *word)
{
    return strcmp(word, "white") == 0 ? WHITE : strcmp(word, "black") == 0 ? BLACK : COLOUR_NONE;
}

static const char columns[] =
    "SELECT id, created_ms, ended_ms, variant, speed, rated, initial_ms, increment_ms, days,"
    " white_id, white, white_title, white_rating, white_ai, black_id, black, black_title,"
    " black_rating, black_ai, our_colour, status, winner, tournament_id, initial_fen, plies";
enum { COLUMN_PLIES = 24, COLUMN_LISTS };

static void read_game(GameRecord *out, sqlite3_stmt *row)
{
    record_init(out);
    copy_text(out->id, sizeof out->id, column_text(row, 0));
    out->created_at_ms = sqlite3_column_int64(row, 1);
    out->ended_at_ms = sqlite3_column_int64(row, 2);
    out->variant = variant_of(text_of(column_text(row, 3)));
    out->speed = speed_of(text_of(column_text(row, 4)));
    out->rated = sqlite3_column_int(row, 5) != 0;
    out->has_clock = sqlite3_column_type(row, 6) == SQLITE_INTEGER;
    out->initial_ms = sqlite3_column_int64(row, 6);
    out->increment_ms = sqlite3_column_int64(row, 7);
    out->days_per_turn = sqlite3_column_int(row, 8);
    int at = read_player(&out->players[WHITE], row, 9);
    at = read_player(&out->players[BLACK], row, at);
    out->us = colour_of(column_text(row, at));
    out->status = status_of(text_of(column_text(row, at + 1)));
    out->winner = colour_of(column_text(row, at + 2));
    copy_text(out->tournament_id, sizeof out->tournament_id, column_text(row, at + 3));
    copy_text(out->initial_fen, sizeof out->initial_fen, column_text(row, at + 4));
}

/* The question's text; values are bound by bind_filter() in the same order. */
static bool write_question(Buf *sql, const StoreFilter *filter, StoreDetail detail,
                           StoreOrder order)
{
    static const char *const outcomes[] = { NULL, "win", "loss", "draw" };
    bool is_whole = detail == STORE_WHOLE_GAMES;
    bool ok = buf_put_text(sql, order == STORE_OLDEST_FIRST ? "SELECT * FROM (" : "") &&
              buf_put_text(sql, columns);
    for (int i = 0; i < MOVE_LIST_COUNT && is_whole; i++)
        ok = ok && buf_printf(sql, ", %s", move_list_column((MoveListKind)i));
    ok = ok && buf_printf(sql, " FROM game%s WHERE ended_ms >= ? AND ended_ms < ?",
                          is_whole ? " LEFT JOIN moves ON game = number" : "");
    if (filter->id)
        ok = ok && buf_put_text(sql, " AND id = ?");
    if (filter->opponent)
        ok = ok && buf_put_text(sql, " AND opponent_id = lower(?)");
    if (filter->kind)
        ok = ok && buf_printf(sql, " AND opponent_is_bot = %d", filter->kind == STORE_BOTS);
    if (filter->variant)
        ok = ok && buf_printf(sql, " AND variant = '%s'", variant_name(filter->variant));
    if (filter->speed)
        ok = ok && buf_printf(sql, " AND speed = '%s'", speed_name(filter->speed));
    if (filter->mode)
        ok = ok && buf_printf(sql, " AND rated = %d", filter->mode == STORE_RATED);
    if (filter->outcome)
        ok = ok && buf_printf(sql, " AND outcome = '%s'", outcomes[filter->outcome]);
    ok = ok && buf_printf(sql, " ORDER BY ended_ms DESC LIMIT %" PRId64,
                          filter->limit > 0 ? filter->limit : -1);
    return ok && (order == STORE_NEWEST_FIRST || buf_put_text(sql, ") ORDER BY ended_ms"));
}

static void bind_filter(sqlite3_stmt *question, const StoreFilter *filter)
{
    int at = 0;
    bind_number(question, &at, filter->since_ms);
    bind_number(question, &at, filter->until_ms > 0 ? filter->until_ms : INT64_MAX);
    if (filter->id)
        bind_text(question, &at, filter->id);
    if (filter->opponent)
        bind_text(question, &at, filter->opponent);
}

static bool tell_games(Store *store, sqlite3_stmt *question, StoreDetail detail,
                       StoreOnGame *on_game, void *user, Error *err)
{
    GameRecord record;
    int code;
    while ((code = sqlite3_step(question)) == SQLITE_ROW) {
        read_game(&record, question);
        for (int i = 0; i < MOVE_LIST_COUNT && detail == STORE_WHOLE_GAMES; i++) {
            const char *list = column_text(question, COLUMN_LISTS + i);
            if (!move_list_read(&record, (MoveListKind)i, text_of(list)))
                record.has_gaps = true;
        }
        on_game(user, &record, sqlite3_column_int(question, COLUMN_PLIES));
        record_release(&record);
    }
    return code == SQLITE_DONE || failed(store, err);
}

bool store_find_games(Store *store, const StoreFilter *filter, StoreDetail detail, StoreOrder order,
                      StoreOnGame *on_game, void *user, Error *err)
{
    Buf sql;
    sqlite3_stmt *question = NULL;
    bool ok = false;
    buf_init(&sql, 4096);
    if (!write_question(&sql, filter, detail, order)) {
        error_set(err, ERR_MEMORY, "no memory");
    } else if (sqlite3_prepare_v2(store->db, buf_view(&sql), -1, &question, NULL) != SQLITE_OK) {
        (void)failed(store, err);
    } else {
        bind_filter(question, filter);
        ok = tell_games(store, question, detail, on_game, user, err);
    }
    sqlite3_finalize(question);
    buf_release(&sql);
    return ok;
}
