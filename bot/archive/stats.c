/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats.h"

#include "bot/archive/replay.h"
#include "bot/archive/store_db.h"
#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>

enum { EXIT_MOST_CP = 1000, PERFORMANCE_MOST = 800, RATING_MOST = 10000 };

/* What each table is made of. Two games belong together when `key` is the same; `name` is that of
 * the one that ended last. */
static const struct {
    const char *word, *key, *name;
} tables[STATS_BY_COUNT] = {
    [STATS_ALL] = { "all", "''", "''" },
    [STATS_COLOUR] = { "colour", "our_colour", "our_colour" },
    [STATS_SPEED] = { "speed", "speed", "speed" },
    [STATS_CLOCK] = { "clock", "name",
                      "CASE WHEN initial_ms IS NOT NULL"
                      " THEN (initial_ms / 1000) || '+' || (increment_ms / 1000)"
                      " WHEN days IS NOT NULL THEN days || 'd' ELSE '-' END" },
    [STATS_VARIANT] = { "variant", "variant", "variant" },
    [STATS_KIND] = { "kind", "opponent_is_bot <> 0",
                     "CASE WHEN opponent_is_bot <> 0 THEN 'bot' ELSE 'human' END" },
    [STATS_OPPONENT] = { "opponent", "coalesce(opponent_id, name)",
                         "coalesce(CASE our_colour WHEN 'white' THEN black ELSE white END,"
                         " 'Stockfish level ' || CASE our_colour WHEN 'white' THEN black_ai"
                         " ELSE white_ai END, 'anonymous')" },
    [STATS_OPENING] = { "opening", "name", "opening(variant, initial_fen, uci)" },
    [STATS_REASON] = { "reason", "status", "status" },
    [STATS_BOOK] = { "book", "name", "opening(variant, initial_fen, uci, book_ply)" },
};

const char *stats_by_name(StatsBy by)
{
    return tables[by].word;
}

StatsBy stats_by_of(const char *word)
{
    int by = 0;
    while (by < STATS_BY_COUNT && strcmp(tables[by].word, word) != 0)
        by++;
    return (StatsBy)by;
}

/* SQL's functions. Their arguments are what stands in the file: anything. */

static Text argument_text(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    return (Text){ text, text ? (size_t)sqlite3_value_bytes(value) : 0 };
}

/* opening(variant, initial_fen, uci, plies), or without the last */
static void sql_opening(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char name[OPENING_SIZE];
    const char *fen = (const char *)sqlite3_value_text(arguments[1]);
    int plies = count == 4 ? sqlite3_value_int(arguments[3]) : STATS_OPENING_PLIES;
    opening_write(variant_of(argument_text(arguments[0])), fen ? fen : "",
                  argument_text(arguments[2]), plies, name);
    sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
}

/* Word number `at` of a list, from 0 on; empty beyond its end. */
static Text word_at(Text list, int64_t at)
{
    while (at-- > 0 && list.len > 0) {
        const char *blank = memchr(list.at, ' ', list.len);
        size_t taken = blank ? (size_t)(blank - list.at) + 1 : list.len;
        list.at += taken;
        list.len -= taken;
    }
    const char *blank = list.len > 0 ? memchr(list.at, ' ', list.len) : NULL;
    return (Text){ list.at, blank ? (size_t)(blank - list.at) : list.len };
}

/* score_at(scores, index): centipawns within bounds; NULL where there is none. */
static void sql_score_at(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    Text word = word_at(argument_text(arguments[0]), sqlite3_value_int64(arguments[1]));
    int64_t cp;
    (void)count;
    if (text_starts_with(word, "#"))
        cp = text_starts_with(word, "#-") ? -EXIT_MOST_CP : EXIT_MOST_CP;
    else if (!number_parse(word.at, word.len, INT32_MIN, INT32_MAX, &cp, NULL))
        return;
    cp = cp > EXIT_MOST_CP ? EXIT_MOST_CP : cp < -EXIT_MOST_CP ? -EXIT_MOST_CP : cp;
    sqlite3_result_int64(context, cp);
}

static const struct {
    const char *name;
    int arguments;
    void (*run)(sqlite3_context *context, int count, sqlite3_value **arguments);
} functions[] = {
    { "opening", 3, sql_opening },
    { "opening", 4, sql_opening },
    { "score_at", 2, sql_score_at },
};

static bool add_functions(Store *store, Error *err)
{
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sqlite3_create_function_v2(store->db, functions[i].name, functions[i].arguments, FLAGS,
                                       NULL, functions[i].run, NULL, NULL, NULL) != SQLITE_OK)
            return store_failed(store, err);
    return true;
}

/* What each table needs of a game beside its row. Without the books' table, their moves are not
 * read: that takes longer than the rest. */
static bool write_sources(Buf *sql, StatsBy by)
{
    static const char books[] = "JOIN (SELECT game, max(ply) AS book_ply FROM book_move"
                                " GROUP BY game) AS book ON book.game = number"
                                " LEFT JOIN moves ON moves.game = book.game";
    switch (by) {
    case STATS_ALL:
        return buf_printf(sql, " LEFT %s", books);
    case STATS_BOOK:
        return buf_printf(sql, " %s", books);
    case STATS_OPENING:
        return buf_put_text(sql, " JOIN moves ON moves.game = number");
    case STATS_COLOUR:
    case STATS_SPEED:
    case STATS_CLOCK:
    case STATS_VARIANT:
    case STATS_KIND:
    case STATS_OPPONENT:
    case STATS_REASON:
    case STATS_BY_COUNT:
        break;
    }
    return true;
}

/* First each game with its name, then the groups. */
static bool write_question(Buf *sql, const StoreFilter *filter, StatsBy by, int64_t limit)
{
    bool has_book = by == STATS_BOOK || by == STATS_ALL;
    return buf_printf(sql, "WITH each AS (SELECT game.*, %s AS name, %s FROM game", tables[by].name,
                      has_book ? "book_ply, score_at(scores, book_ply + 1) AS exit_cp"
                               : "NULL AS book_ply, NULL AS exit_cp") &&
           write_sources(sql, by) &&
           buf_put_text(sql, " WHERE outcome IN ('win', 'draw', 'loss') AND ") &&
           store_filter_write(sql, filter) &&
           buf_printf(sql,
                      ") SELECT name, count(*) AS games, sum(outcome = 'win'),"
                      " sum(outcome = 'draw'), sum(outcome = 'loss'),"
                      " avg(CASE our_colour WHEN 'white' THEN black_rating ELSE white_rating END),"
                      " count(book_ply), avg(book_ply), count(exit_cp), avg(exit_cp),"
                      " count(*) OVER (), max(ended_ms)"
                      " FROM each GROUP BY %s ORDER BY games DESC, name LIMIT %" PRId64,
                      tables[by].key, limit);
}

static void tell(sqlite3_stmt *question, StatsOnRow *on_row, void *user)
{
    const StatsRow row = {
        .name = store_column_text(question, 0),
        .games = sqlite3_column_int64(question, 1),
        .won = sqlite3_column_int64(question, 2),
        .drawn = sqlite3_column_int64(question, 3),
        .lost = sqlite3_column_int64(question, 4),
        .opponents = sqlite3_column_double(question, 5),
        .in_book = sqlite3_column_int64(question, 6),
        .book_plies = sqlite3_column_double(question, 7),
        .exits = sqlite3_column_int64(question, 8),
        .exit_cp = sqlite3_column_double(question, 9),
        .groups = sqlite3_column_int64(question, 10),
    };
    on_row(user, &row);
}

bool stats_read(Store *store, const StoreFilter *filter, StatsBy by, int64_t limit,
                StatsOnRow *on_row, void *user, Error *err)
{
    Buf sql;
    sqlite3_stmt *question = NULL;
    bool ok = false;
    buf_init(&sql, 4096);
    if (!write_question(&sql, filter, by, limit)) {
        error_set(err, ERR_MEMORY, "no memory");
    } else if (!add_functions(store, err)) {
        ok = false;
    } else if (sqlite3_prepare_v2(store->db, buf_view(&sql), -1, &question, NULL) != SQLITE_OK) {
        (void)store_failed(store, err);
    } else {
        int code, at = 0;
        store_filter_bind(question, &at, filter);
        while ((code = sqlite3_step(question)) == SQLITE_ROW)
            tell(question, on_row, user);
        ok = code == SQLITE_DONE || store_failed(store, err);
    }
    sqlite3_finalize(question);
    buf_release(&sql);
    return ok;
}

const char *against_name(Against kind)
{
    static const char *const names[AGAINST_COUNT] = { "human", "bot" };
    return names[kind];
}

bool stats_read_kinds(Store *store, StatsRow out[AGAINST_COUNT], Error *err)
{
    static const char text[] =
        "SELECT opponent_is_bot, sum(outcome = 'win'), sum(outcome = 'draw'),"
        " sum(outcome = 'loss'), count(rating), total(rating)"
        " FROM (SELECT opponent_is_bot, outcome,"
        " CASE our_colour WHEN 'white' THEN black_rating ELSE white_rating END AS rating"
        " FROM game WHERE outcome IN ('win', 'draw', 'loss')) GROUP BY opponent_is_bot";
    int64_t rated[AGAINST_COUNT] = { 0 };
    sqlite3_stmt *question;
    int code;
    if (sqlite3_prepare_v2(store->db, text, -1, &question, NULL) != SQLITE_OK)
        return store_failed(store, err);
    for (int i = 0; i < AGAINST_COUNT; i++)
        out[i] = (StatsRow){ .name = "", .groups = 1 };
    while ((code = sqlite3_step(question)) == SQLITE_ROW) {
        Against kind = sqlite3_column_int(question, 0) != 0 ? AGAINST_BOTS : AGAINST_HUMANS;
        StatsRow *row = &out[kind];
        row->won += sqlite3_column_int64(question, 1);
        row->drawn += sqlite3_column_int64(question, 2);
        row->lost += sqlite3_column_int64(question, 3);
        row->games = row->won + row->drawn + row->lost;
        rated[kind] += sqlite3_column_int64(question, 4);
        row->opponents += sqlite3_column_double(question, 5);
    }
    for (int kind = 0; kind < AGAINST_COUNT; kind++)
        out[kind].opponents /= rated[kind] > 0 ? (double)rated[kind] : 1;
    bool ok = code == SQLITE_DONE || store_failed(store, err);
    sqlite3_finalize(question);
    return ok;
}

double stats_score(const StatsRow *row)
{
    return row->games > 0 ? ((double)row->won + (double)row->drawn / 2) / (double)row->games : 0;
}

int stats_performance(const StatsRow *row)
{
    double score = stats_score(row);
    if (!(row->opponents > 0 && row->opponents < RATING_MOST) || row->games == 0)
        return 0;
    double above = score <= 0   ? -PERFORMANCE_MOST
                   : score >= 1 ? PERFORMANCE_MOST
                                : 400 * log10(score / (1 - score));
    above = above > PERFORMANCE_MOST    ? PERFORMANCE_MOST
            : above < -PERFORMANCE_MOST ? -PERFORMANCE_MOST
                                        : above;
    return (int)lround(row->opponents + above);
}
