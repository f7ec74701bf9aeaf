/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/store.h"

#include "bot/archive/move_lists.h"
#include "bot/archive/store_db.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static void copy_text(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size)
        len = 0;
    memcpy(out, text, len);
    out[len] = '\0';
}

/* What no int holds is as good as unknown. */
static int number_of(const DbQuery *row, int column)
{
    int64_t number = db_number(row, column);
    return number >= INT_MIN && number <= INT_MAX ? (int)number : 0;
}

static int read_player(Player *out, const DbQuery *row, int column)
{
    copy_text(out->id, sizeof out->id, db_text(row, column));
    copy_text(out->name, sizeof out->name, db_text(row, column + 1));
    copy_text(out->title, sizeof out->title, db_text(row, column + 2));
    out->rating = number_of(row, column + 3);
    out->ai_level = number_of(row, column + 4);
    return column + 5;
}

static const char columns[] =
    "SELECT id, created_ms, ended_ms, variant, speed, rated, initial_ms, increment_ms, days,"
    " white_id, white, white_title, white_rating, white_ai, black_id, black, black_title,"
    " black_rating, black_ai, our_colour, status, winner, tournament_id, initial_fen, plies,"
    " engine, opponent_engine, strikes";
enum {
    COLUMN_PLIES = 24,
    COLUMN_ENGINE,
    COLUMN_THEIR_ENGINE,
    COLUMN_STRIKES,
    COLUMN_LISTS,
};

static void read_game(GameRecord *out, const DbQuery *row)
{
    record_init(out);
    copy_text(out->id, sizeof out->id, db_text(row, 0));
    out->created_at_ms = db_number(row, 1);
    out->ended_at_ms = db_number(row, 2);
    out->variant = variant_of(text_of(db_text(row, 3)));
    out->speed = speed_of(text_of(db_text(row, 4)));
    out->rated = db_number(row, 5) != 0;
    out->time = db_is_null(row, 6) ? time_control_of_days(number_of(row, 8))
                                   : (TimeControl){ .kind = TIME_CLOCK,
                                                    .base_s = db_number(row, 6) / 1000,
                                                    .increment_s = db_number(row, 7) / 1000 };
    int at = read_player(&out->players[WHITE], row, 9);
    at = read_player(&out->players[BLACK], row, at);
    out->us = colour_of(text_of(db_text(row, at)));
    out->status = status_of(text_of(db_text(row, at + 1)));
    out->winner = colour_of(text_of(db_text(row, at + 2)));
    copy_text(out->tournament_id, sizeof out->tournament_id, db_text(row, at + 3));
    copy_text(out->initial_fen, sizeof out->initial_fen, db_text(row, at + 4));
    copy_text(out->engine, sizeof out->engine, db_text(row, COLUMN_ENGINE));
    copy_text(out->their_engine, sizeof out->their_engine, db_text(row, COLUMN_THEIR_ENGINE));
    out->strikes = number_of(row, COLUMN_STRIKES);
}

/* As a database counts them in UTF-8. */
static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* Behind the code of a title: "Sicilian Defense: Najdorf Variation" is of the family before the
 * colon, and so is the family's own name. */
enum { ECO_NAME_BEGINS = 5 };

bool store_filter_write(Buf *sql, const StoreFilter *filter)
{
    static const char *const outcomes[] = { NULL, "win", "loss", "draw" };
    bool ok = buf_put_text(sql, "ended_ms >= ? AND ended_ms < ?");
    if (filter->id)
        ok = ok && buf_put_text(sql, " AND id = ?");
    if (filter->account)
        ok = ok && buf_put_text(sql, " AND account = lower(?)");
    if (filter->opponent)
        ok = ok && buf_put_text(sql, " AND opponent_id = lower(?)");
    if (filter->opening)
        ok = ok && buf_printf(sql,
                              " AND substr(substr(opening, %d) || ':', 1, %zu)"
                              " = CAST(? AS text) || ':'",
                              ECO_NAME_BEGINS, characters(filter->opening) + 1);
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
    if (filter->no_analysis)
        ok = ok && buf_printf(sql,
                              " AND outcome <> 'none' AND NOT EXISTS (SELECT 1 FROM analysis AS a"
                              " WHERE a.game = number AND a.nodes >= %" PRId64 ")",
                              filter->no_analysis);
    return ok;
}

void store_filter_bind(DbQuery *question, const StoreFilter *filter)
{
    db_bind_number(question, filter->since_ms);
    db_bind_number(question, filter->until_ms > 0 ? filter->until_ms : INT64_MAX);
    if (filter->id)
        db_bind_text(question, filter->id);
    if (filter->account)
        db_bind_text(question, filter->account);
    if (filter->opponent)
        db_bind_text(question, filter->opponent);
    if (filter->opening)
        db_bind_text(question, filter->opening);
}

static bool write_question(Buf *sql, const StoreFilter *filter, StoreDetail detail,
                           StoreOrder order)
{
    bool is_whole = detail == STORE_WHOLE_GAMES;
    bool ok = buf_put_text(sql, order == STORE_OLDEST_FIRST ? "SELECT * FROM (" : "") &&
              buf_put_text(sql, columns);
    for (int i = 0; i < MOVE_LIST_COUNT && is_whole; i++)
        ok = ok && buf_printf(sql, ", %s", move_list_column((MoveListKind)i));
    ok = ok && buf_printf(sql, " FROM game%s WHERE ",
                          is_whole ? " LEFT JOIN moves ON game = number" : "");
    ok = ok && store_filter_write(sql, filter) && buf_put_text(sql, " ORDER BY ended_ms") &&
         buf_put_text(sql, filter->is_earliest ? "" : " DESC");
    if (filter->limit > 0)
        ok = ok &&
             buf_printf(sql, " LIMIT %" PRId64 " OFFSET %" PRId64, filter->limit, filter->skip);
    return ok &&
           (order == STORE_NEWEST_FIRST || buf_put_text(sql, ") AS latest ORDER BY ended_ms"));
}

static bool tell_games(DbQuery *question, StoreDetail detail, StoreOnGame *on_game, void *user,
                       Error *err)
{
    GameRecord record;
    DbStep step;
    while ((step = db_step(question, err)) == DB_ROW) {
        read_game(&record, question);
        for (int i = 0; i < MOVE_LIST_COUNT && detail == STORE_WHOLE_GAMES; i++) {
            const char *list = db_text(question, COLUMN_LISTS + i);
            if (!move_list_read(&record, (MoveListKind)i, text_of(list)))
                record.has_gaps = true;
        }
        on_game(user, &record, number_of(question, COLUMN_PLIES));
        record_release(&record);
    }
    return step == DB_DONE;
}

bool store_find_games(Store *store, const StoreFilter *filter, StoreDetail detail, StoreOrder order,
                      StoreOnGame *on_game, void *user, Error *err)
{
    Buf sql;
    DbQuery *question = NULL;
    buf_init(&sql, 4096);
    if (!write_question(&sql, filter, detail, order))
        error_set(err, ERR_MEMORY, "no memory");
    else
        question = db_prepare(store->db, buf_view(&sql), err);
    buf_release(&sql);
    if (!question)
        return false;
    store_filter_bind(question, filter);
    bool ok = tell_games(question, detail, on_game, user, err);
    db_finish(question);
    return ok;
}
