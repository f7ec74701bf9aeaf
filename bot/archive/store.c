/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/store.h"

#include "bot/archive/db_postgres.h"
#include "bot/archive/db_sqlite.h"
#include "bot/review/eco.h"
#include "bot/archive/move_lists.h"
#include "bot/review/replay.h"
#include "bot/archive/store_db.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum {
    LISTS_MAX = 1 << 20, /* bytes of one list of a game's moves */
};

static const char *const statement_texts[STATEMENT_COUNT] = {
    [STATEMENT_HAS_GAME] = "SELECT 1 FROM game WHERE id = ? AND account = ? AND plies >= ?"
                           " AND outcome <> 'none'",
    [STATEMENT_DROP_GAME] = "DELETE FROM game WHERE id = ? AND account = ?",
    [STATEMENT_COUNT_GAMES] = "SELECT count(*) FROM game",
    [STATEMENT_LAST_GAME] = "SELECT coalesce(max(number), 0) FROM game",
    [STATEMENT_ADD_GAME] =
        "INSERT INTO game (id, created_ms, ended_ms, variant, speed, rated, initial_ms,"
        " increment_ms, days, white_id, white, white_title, white_rating, white_ai, black_id,"
        " black, black_title, black_rating, black_ai, our_colour, opponent_id, opponent_is_bot,"
        " status, winner, result, outcome, tournament_id, initial_fen, plies, opening, engine,"
        " opponent_engine, strikes) "
        "VALUES ("
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?)"
        " RETURNING number",
    [STATEMENT_ADD_MOVES] = ("INSERT INTO moves (game, uci, clocks_ms, scores, depths, nodes,"
                             " times_ms, pvs) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
    [STATEMENT_ADD_BOOK_MOVE] = "INSERT INTO book_move (game, ply, key, move) VALUES (?, ?, ?, ?)",
    [STATEMENT_PUT_FACT] =
        "INSERT INTO fact (key, value, expires_ms) VALUES (?, ?, ?) ON CONFLICT (key)"
        " DO UPDATE SET value = excluded.value, expires_ms = excluded.expires_ms",
    [STATEMENT_DROP_FACT] = "DELETE FROM fact WHERE key = ?",
    [STATEMENT_EXPIRE_FACTS] = "DELETE FROM fact WHERE expires_ms <= ?",
    [STATEMENT_READ_FACTS] = "SELECT key, value, expires_ms FROM fact",
    [STATEMENT_READ_BOOK_STATS] =
        "SELECT key, move, count(*) FILTER (WHERE outcome = 'win'),"
        " count(*) FILTER (WHERE outcome = 'draw'), count(*) FILTER (WHERE outcome = 'loss')"
        " FROM book_move JOIN game ON number = game WHERE outcome <> 'none' AND game <= ?"
        " AND (account = ? OR ? = '')"
        " GROUP BY key, move ORDER BY count(*) DESC LIMIT ?",
    [STATEMENT_FIND_GAME] = "SELECT number FROM game WHERE id = ? AND account = ? AND plies = ?",
    [STATEMENT_DROP_ANALYSIS] = "DELETE FROM analysis WHERE game = ?",
    [STATEMENT_ADD_ANALYSIS] =
        "INSERT INTO analysis (game, nodes, version, scores, depths, best, accuracy,"
        " their_accuracy, lost_chess, lost_clock, lost_book, lost_fault, cause)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STATEMENT_READ_ANALYSIS] = "SELECT nodes, scores, depths, best FROM analysis"
                                " JOIN game ON number = game WHERE id = ? AND account = ?",
};

DbQuery *store_statement(Store *store, Statement which, Error *err)
{
    DbQuery **at = &store->statements[which];
    if (!*at)
        *at = db_prepare(store->db, statement_texts[which], err);
    return *at;
}

/* Is it "postgresql://…", and no file? */
static bool is_address(const char *path)
{
    static const char start[] = "postgresql://";
    return strncmp(path, start, sizeof start - 1) == 0;
}

static bool open_store(Store **out, const char *path, StoreMode mode, const atomic_bool *stop,
                       const StoreUpgrade *upgrade, Error *err)
{
    Store *store = calloc(1, sizeof *store);
    if (!store) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    if (is_address(path) ? !db_postgres_open(&store->db, path, mode, stop, err)
                         : !db_sqlite_open(&store->db, path, mode, stop, upgrade, err)) {
        free(store);
        return false;
    }
    *out = store;
    return true;
}

bool store_new_until(Store **out, const char *path, StoreMode mode, const atomic_bool *stop,
                     Error *err)
{
    return open_store(out, path, mode, stop, NULL, err);
}

bool store_new_telling(Store **out, const char *path, const atomic_bool *stop,
                       const StoreUpgrade *upgrade, Error *err)
{
    return open_store(out, path, STORE_WRITE, stop, upgrade, err);
}

bool store_new(Store **out, const char *path, StoreMode mode, Error *err)
{
    return open_store(out, path, mode, NULL, NULL, err);
}

void store_free(Store *store)
{
    if (!store)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        db_finish(store->statements[i]);
    db_close(store->db);
    free(store);
}

bool store_has_moved(Store *store)
{
    return db_has_moved(store->db);
}

void store_checkpoint(Store *store)
{
    db_checkpoint(store->db);
}

bool store_ask_server(Store *store, StoreServer *out, Error *err)
{
    static const char sql[] =
        "SELECT current_setting('server_version'), (has_table_privilege('game', 'INSERT')"
        " AND has_table_privilege('game', 'DELETE') AND has_table_privilege('moves', 'INSERT')"
        " AND has_table_privilege('book_move', 'INSERT'))::integer";
    DbQuery *question = db_prepare(store->db, sql, err);
    bool ok = question && db_step(question, err) == DB_ROW;
    if (ok) {
        text_format_cut(out->version, sizeof out->version, "%s", db_text(question, 0));
        out->can_write = db_number(question, 1) != 0;
    }
    db_finish(question);
    return ok;
}

/* Writing. */

/* Numbers of which 0 says that they are not known or not there, and so are empty texts. */
static void bind_some(DbQuery *to, int64_t number)
{
    if (number != 0)
        db_bind_number(to, number);
    else
        db_bind_null(to);
}

static void bind_words(DbQuery *to, const char *text)
{
    db_bind_text(to, text && text[0] != '\0' ? text : NULL);
}

static void bind_colour(DbQuery *to, Colour colour)
{
    bind_words(to, colour == COLOUR_NONE ? NULL : colour_name(colour));
}

static const char *outcome_word(const GameRecord *record)
{
    if (record->winner != COLOUR_NONE && record->us != COLOUR_NONE)
        return record->winner == record->us ? "win" : "loss";
    return record_result(record->status, record->winner)[0] == '*' ? "none" : "draw";
}

static void bind_player(DbQuery *to, const Player *player)
{
    bind_words(to, player->id);
    bind_words(to, player->name);
    bind_words(to, player->title);
    bind_some(to, player->rating);
    bind_some(to, player->ai_level);
}

/* As the column is generated. */
const char *store_account(const GameRecord *record)
{
    return record->players[record->us == WHITE ? WHITE : BLACK].id;
}

/* `title` is lent until the game has been written; "": the opening has no name. */
static void bind_game(DbQuery *to, const GameRecord *record, const char *title)
{
    const Player *them = record_opponent(record);
    bind_words(to, record->id);
    bind_some(to, record->created_at_ms);
    db_bind_number(to, record->ended_at_ms);
    bind_words(to, variant_name(record->variant));
    bind_words(to, speed_name(record->speed));
    db_bind_number(to, record->rated);
    if (record->time.kind == TIME_CLOCK) {
        db_bind_number(to, record->time.base_s * 1000);
        db_bind_number(to, record->time.increment_s * 1000);
    } else {
        db_bind_null(to);
        db_bind_null(to);
    }
    bind_some(to, record->time.days);
    bind_player(to, &record->players[WHITE]);
    bind_player(to, &record->players[BLACK]);
    bind_colour(to, record->us);
    bind_words(to, them->id);
    db_bind_number(to, player_is_engine(them));
    bind_words(to, status_name(record->status));
    bind_colour(to, record->winner);
    bind_words(to, record_result(record->status, record->winner));
    bind_words(to, outcome_word(record));
    bind_words(to, record->tournament_id);
    bind_words(to, record->initial_fen);
    db_bind_number(to, (int64_t)record->count);
    bind_words(to, title);
    bind_words(to, record->engine);
    bind_words(to, record->their_engine);
    db_bind_number(to, record->strikes);
}

static bool add_move_lists(Store *store, const GameRecord *record, int64_t number, Error *err)
{
    DbQuery *moves = store_statement(store, STATEMENT_ADD_MOVES, err);
    if (!moves)
        return false;
    bool ok = true;
    Buf lists[MOVE_LIST_COUNT];
    db_bind_number(moves, number);
    for (int i = 0; i < MOVE_LIST_COUNT; i++) {
        buf_init(&lists[i], LISTS_MAX);
        ok = ok && move_list_write(record, (MoveListKind)i, &lists[i]);
        db_bind_text(moves, buf_view(&lists[i]));
    }
    if (ok) {
        ok = db_execute(moves, err);
    } else {
        error_set(err, ERR_MEMORY, "game %s: no memory", record->id);
        db_reset(moves);
    }
    for (int i = 0; i < MOVE_LIST_COUNT; i++)
        buf_release(&lists[i]);
    return ok;
}

static bool add_book_moves(Store *store, const GameRecord *record, int64_t number, Error *err)
{
    BookStep steps[BOOK_STEPS_MAX];
    size_t count = replay_book_steps(record, steps);
    for (size_t i = 0; i < count; i++) {
        DbQuery *step = store_statement(store, STATEMENT_ADD_BOOK_MOVE, err);
        if (!step)
            return false;
        db_bind_number(step, number);
        db_bind_number(step, steps[i].ply);
        db_bind_number(step, (int64_t)steps[i].key);
        db_bind_number(step, steps[i].move);
        if (!db_execute(step, err))
            return false;
    }
    return true;
}

/* Is as much of the game there already? What the server sends again after a restart lacks our
 * evaluations. */
static bool has_game(Store *store, const GameRecord *record, bool *out, Error *err)
{
    DbQuery *question = store_statement(store, STATEMENT_HAS_GAME, err);
    if (!question)
        return false;
    db_bind_text(question, record->id);
    db_bind_text(question, store_account(record));
    db_bind_number(question, (int64_t)record->count);
    DbStep step = db_step(question, err);
    *out = step == DB_ROW;
    if (step == DB_ROW)
        db_reset(question);
    return step != DB_FAILED;
}

static bool drop_game(Store *store, const GameRecord *record, Error *err)
{
    DbQuery *drop = store_statement(store, STATEMENT_DROP_GAME, err);
    if (!drop)
        return false;
    db_bind_text(drop, record->id);
    db_bind_text(drop, store_account(record));
    return db_execute(drop, err);
}

/* The game's own row; *number is what its others refer to. */
static bool add_game(Store *store, const GameRecord *record, int64_t *number, Error *err)
{
    EcoOpening opening;
    char title[ECO_TITLE_SIZE] = "";
    DbQuery *game = store_statement(store, STATEMENT_ADD_GAME, err);
    if (!game)
        return false;
    if (eco_of_record(record, &opening))
        eco_title_write(&opening, title);
    bind_game(game, record, title);
    if (db_step(game, err) != DB_ROW)
        return false;
    *number = db_number(game, 0);
    return db_execute(game, err);
}

static bool add_rows(Store *store, const GameRecord *record, Error *err)
{
    bool is_there;
    int64_t number;
    if (!has_game(store, record, &is_there, err))
        return false;
    return is_there || (drop_game(store, record, err) && add_game(store, record, &number, err) &&
                        add_move_lists(store, record, number, err) &&
                        add_book_moves(store, record, number, err));
}

/* One game or fact: in a batch a part of it, else a transaction of its own. */

bool store_begin_entry(Store *store, Error *err)
{
    return store->is_in_batch ? db_savepoint(store->db, err) : db_begin(store->db, err);
}

bool store_end_entry(Store *store, bool ok, Error *err)
{
    if (ok &&
        (store->is_in_batch ? db_release_savepoint(store->db, err) : db_commit(store->db, err)))
        return true;
    if (store->is_in_batch)
        db_rollback_savepoint(store->db);
    else
        db_rollback(store->db);
    return false;
}

bool store_begin_batch(Store *store, Error *err)
{
    store->is_in_batch = db_begin(store->db, err);
    return store->is_in_batch;
}

bool store_end_batch(Store *store, Error *err)
{
    if (!db_commit(store->db, err))
        return false;
    store->is_in_batch = false;
    return true;
}

void store_drop_batch(Store *store)
{
    db_rollback(store->db);
    store->is_in_batch = false;
}

bool store_add_game(Store *store, const GameRecord *record, Error *err)
{
    return store_begin_entry(store, err) &&
           store_end_entry(store, add_rows(store, record, err), err);
}

bool store_drop_game(Store *store, const GameRecord *record, Error *err)
{
    return store_begin_entry(store, err) &&
           store_end_entry(store, drop_game(store, record, err), err);
}

static bool put_fact(Store *store, const char *key, const char *value, int64_t expires_ms,
                     Error *err)
{
    bool is_gone = value[0] == '\0';
    DbQuery *put = store_statement(store, is_gone ? STATEMENT_DROP_FACT : STATEMENT_PUT_FACT, err);
    if (!put)
        return false;
    db_bind_text(put, key);
    if (!is_gone) {
        db_bind_text(put, value);
        db_bind_number(put, expires_ms);
    }
    return db_execute(put, err);
}

bool store_put_fact(Store *store, const char *key, const char *value, int64_t expires_ms,
                    Error *err)
{
    return store_begin_entry(store, err) &&
           store_end_entry(store, put_fact(store, key, value, expires_ms, err), err);
}

/* Reading. */

bool store_read_facts(Store *store, StoreOnFact *on_fact, void *user, Error *err)
{
    DbQuery *facts = store_statement(store, STATEMENT_READ_FACTS, err);
    if (!facts)
        return false;
    DbStep step;
    while ((step = db_step(facts, err)) == DB_ROW)
        on_fact(user, db_text(facts, 0), db_text(facts, 1), db_number(facts, 2));
    return step == DB_DONE;
}

bool store_expire_facts(Store *store, int64_t now_ms, Error *err)
{
    DbQuery *expire = store_statement(store, STATEMENT_EXPIRE_FACTS, err);
    if (!expire)
        return false;
    db_bind_number(expire, now_ms);
    return db_execute(expire, err);
}

/* A count of games; what is none is cut to fit. */
static uint32_t column_count(const DbQuery *row, int column)
{
    int64_t number = db_number(row, column);
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static bool read_number(Store *store, Statement which, int64_t *out, Error *err)
{
    DbQuery *question = store_statement(store, which, err);
    if (!question || db_step(question, err) != DB_ROW)
        return false;
    *out = db_number(question, 0);
    db_reset(question);
    return true;
}

bool store_count_games(Store *store, int64_t *out, Error *err)
{
    return read_number(store, STATEMENT_COUNT_GAMES, out, err);
}

bool store_last_game(Store *store, int64_t *out, Error *err)
{
    return read_number(store, STATEMENT_LAST_GAME, out, err);
}

bool store_read_book_stats(Store *store, const char *account, int64_t last_game, BookStats *out,
                           Error *err)
{
    DbQuery *rows = store_statement(store, STATEMENT_READ_BOOK_STATS, err);
    if (!rows)
        return false;
    DbStep step;
    db_bind_number(rows, last_game);
    db_bind_text(rows, account ? account : "");
    db_bind_text(rows, account ? account : "");
    db_bind_number(rows, BOOK_STATS_MAX);
    while ((step = db_step(rows, err)) == DB_ROW) {
        const Results results = { column_count(rows, 2), column_count(rows, 3),
                                  column_count(rows, 4) };
        /* Another number than a move is never asked for. */
        if (!book_stats_add(out, (uint64_t)db_number(rows, 0), (Move)db_number(rows, 1), &results))
            continue;
    }
    return step == DB_DONE;
}
