/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/archive_page.h"

#include "bot/admin/analysis_json.h"
#include "bot/admin/archive_query.h"
#include "bot/admin/game_json.h"
#include "bot/admin/games_json.h"
#include "bot/admin/record_json.h"
#include "bot/admin/stats_json.h"
#include "bot/review/pgn.h"
#include "bot/archive/store_analysis.h"
#include "bot/ops/json_put.h"
#include "engine/base/clock.h"

#include <stdlib.h>

enum {
    OPENINGS_SHOWN = 12,
    OPPONENTS_SHOWN = 12,
    TIMED_GAMES = 400, /* whose moves are read for the time that they took */
};

typedef struct {
    ArchiveQuestion question; /* the first member */
    ArchivePageKind kind;
    ArchiveReader *reader;
    WebReply *reply;            /* NULL: it was not to be had */
    struct json_object *answer; /* as far as it is made */
    struct json_object *known;
    ArchiveQuery query;
    bool is_one_account;
    char account[RECORD_NAME_SIZE];
    char id[GAME_ID_SIZE];
    WebStatus status; /* what came of it */
    Buf out;
    struct json_object *rows; /* of the answer: where they go, */
    int count;                /* … how many came, or which table they are of */
    TimeUse times[SPEED_COUNT];
    TimeByMove by_move;
} ArchivePage;

static void free_page(ArchivePage *page)
{
    json_object_put(page->answer);
    json_object_put(page->known);
    buf_release(&page->out);
    free(page);
}

/* Any thread. */
static void write_answer(ArchivePage *page, struct json_object *answer)
{
    page->status = answer && json_put_line(&page->out, answer) ? WEB_OK : WEB_FAILED;
}

/* ---- on the reader's thread ---- */

static void archive_page_on_game(void *user, const GameRecord *record, int plies)
{
    ArchivePage *page = user;
    if (page->count++ < ARCHIVE_PAGE_ROWS)
        json_put_entry(page->rows, games_json_row(record, plies));
}

static StoreFilter filter_of(const ArchivePage *page)
{
    StoreFilter filter = archive_query_filter(&page->query, clock_unix_ms());
    filter.account = page->is_one_account ? page->account : NULL;
    return filter;
}

/* A new list in an object, for the rows to come: NULL without memory, where nothing is kept. */
static struct json_object *put_list(struct json_object *to, const char *key)
{
    struct json_object *list = json_object_new_array();
    return json_put_value(to, key, list) ? list : NULL;
}

static bool read_games(ArchivePage *page, Store *store, Error *err)
{
    StoreFilter filter = filter_of(page);
    filter.limit = ARCHIVE_PAGE_ROWS + 1;
    filter.skip = page->query.page * ARCHIVE_PAGE_ROWS;
    page->rows = put_list(page->answer, "games");
    bool ok = store_find_games(store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                               archive_page_on_game, page, err);
    json_put_number(page->answer, "page", page->query.page);
    json_put_bool(page->answer, "has_more", page->count > ARCHIVE_PAGE_ROWS);
    return ok;
}

/* ---- one game ---- */

static void archive_page_on_whole_game(void *user, const GameRecord *record, int plies)
{
    GameRecord *copy = user;
    (void)plies;
    if (!record_copy(copy, record))
        record_init(copy);
}

/* Without one, false and no error. The caller frees `*out`: record->count + 1 of them. */
static bool read_analysis(Store *store, const GameRecord *record, PositionEval **out, Error *err)
{
    int64_t nodes = 0;
    *out = calloc(record->count + 1, sizeof **out);
    return *out && store_read_analysis(store, record, *out, &nodes, err) && nodes > 0;
}

static void archive_page_on_neighbour(void *user, const GameRecord *record, int plies)
{
    char *id = user;
    (void)plies;
    (void)!text_copy(id, GAME_ID_SIZE, text_of(record->id));
}

static bool put_neighbour(ArchivePage *page, Store *store, struct json_object *game,
                          const char *key, StoreFilter filter, Error *err)
{
    char id[GAME_ID_SIZE] = "";
    filter.account = page->is_one_account ? page->account : NULL;
    filter.limit = 1;
    bool ok = store_find_games(store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST,
                               archive_page_on_neighbour, id, err);
    if (id[0] != '\0')
        json_put_text(game, key, id);
    return ok;
}

/* The games around it, by their ends. */
static bool put_neighbours(ArchivePage *page, Store *store, struct json_object *game,
                           int64_t ended_ms, Error *err)
{
    return put_neighbour(page, store, game, "earlier", (StoreFilter){ .until_ms = ended_ms },
                         err) &&
           put_neighbour(page, store, game, "later",
                         (StoreFilter){ .since_ms = ended_ms + 1, .is_earliest = true }, err);
}

static void copy_member(struct json_object *to, const struct json_object *from, const char *key)
{
    json_put_value(to, key, json_object_get(json_object_object_get(from, key)));
}

static bool write_game(ArchivePage *page, Store *store, const GameRecord *record, Error *err)
{
    struct json_object *game = game_json_of_record(record, 0);
    PositionEval *evals = NULL;
    if (!game) {
        page->status = WEB_FAILED;
        return true;
    }
    copy_member(game, page->answer, "account");
    copy_member(game, page->answer, "url");
    json_object_put(page->answer);
    page->answer = game;
    if (read_analysis(store, record, &evals, err))
        json_put_value(game, "analysis", analysis_json(record, evals));
    free(evals);
    return put_neighbours(page, store, game, record->ended_at_ms, err);
}

static void write_pgn(ArchivePage *page, Store *store, const GameRecord *record, Error *err)
{
    PositionEval *evals = NULL;
    const char *site = json_object_get_string(json_object_object_get(page->answer, "url"));
    bool ok = read_analysis(store, record, &evals, err)
                  ? pgn_write_analysis(record, evals, site, &page->out)
                  : pgn_write(record, site, &page->out);
    free(evals);
    page->status = ok ? WEB_OK : WEB_FAILED;
}

static bool read_game(ArchivePage *page, Store *store, Error *err)
{
    const StoreFilter filter = { .id = page->id,
                                 .account = page->is_one_account ? page->account : NULL,
                                 .limit = 1 };
    GameRecord record;
    record_init(&record);
    bool ok = store_find_games(store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                               archive_page_on_whole_game, &record, err);
    bool is_there = record.id[0] != '\0';
    if (!is_there)
        page->status = page->known ? WEB_OK : WEB_NOT_FOUND;
    else if (page->kind == ARCHIVE_PAGE_PGN)
        write_pgn(page, store, &record, err);
    else
        ok = write_game(page, store, &record, err) && ok;
    if (!is_there && page->known) {
        json_object_put(page->answer);
        page->answer = json_object_get(page->known);
    }
    record_release(&record);
    return ok;
}

/* ---- statistics ---- */

typedef struct {
    StatsBy by;
    const char *title;
    int64_t limit;
} StatsTable;

static const StatsTable tables[] = {
    { STATS_KIND, "Against", AGAINST_COUNT },
    { STATS_SPEED, "Speeds", SPEED_COUNT },
    { STATS_OPENING, "Openings", OPENINGS_SHOWN },
    { STATS_OPPONENT, "Opponents", OPPONENTS_SHOWN },
};

static void archive_page_on_row(void *user, const StatsRow *row)
{
    ArchivePage *page = user;
    json_put_entry(page->rows, stats_json_row(tables[page->count].by, row));
}

static bool read_tables(ArchivePage *page, Store *store, Error *err)
{
    StoreFilter filter = filter_of(page);
    struct json_object *list = put_list(page->answer, "tables");
    for (page->count = 0; page->count < (int)(sizeof tables / sizeof *tables); page->count++) {
        const StatsTable *table = &tables[page->count];
        struct json_object *to = json_object_new_object();
        json_put_text(to, "title", table->title);
        json_put_text(to, "by", stats_by_names[table->by]);
        page->rows = put_list(to, "rows");
        page->rows = json_put_entry(list, to) ? page->rows : NULL;
        if (!stats_read(store, &filter, table->by, table->limit, archive_page_on_row, page, err))
            return false;
    }
    return true;
}

static void archive_page_on_timed_game(void *user, const GameRecord *record, int plies)
{
    ArchivePage *page = user;
    (void)plies;
    time_use_add(&page->times[record->speed], &page->by_move, record);
}

static bool read_stats(ArchivePage *page, Store *store, Error *err)
{
    StoreFilter filter = filter_of(page);
    Progress progress;
    if (!read_tables(page, store, err) || !progress_read(store, &filter, &progress, err))
        return false;
    json_put_value(page->answer, "progress", stats_json_progress(&progress));
    filter.limit = TIMED_GAMES;
    if (!store_find_games(store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                          archive_page_on_timed_game, page, err))
        return false;
    json_put_value(page->answer, "times", stats_json_times(page->times, &page->by_move));
    return true;
}

static bool read_page(ArchiveQuestion *question, Store *store, Error *err)
{
    ArchivePage *page = (ArchivePage *)(void *)question;
    bool ok = page->kind == ARCHIVE_PAGE_GAMES   ? read_games(page, store, err)
              : page->kind == ARCHIVE_PAGE_STATS ? read_stats(page, store, err)
                                                 : read_game(page, store, err);
    if (ok && page->status == WEB_OK && page->kind != ARCHIVE_PAGE_PGN)
        write_answer(page, page->answer);
    return ok;
}

/* ---- on the loop ---- */

static void archive_page_on_read(ArchiveQuestion *question, const Error *why)
{
    ArchivePage *page = (ArchivePage *)(void *)question;
    if (error_is_set(why)) {
        buf_reset(&page->out);
        page->status = WEB_BUSY;
        if (page->kind != ARCHIVE_PAGE_PGN) {
            struct json_object *answer = page->known ? page->known : page->answer;
            if (!page->known)
                json_put_shown(answer, "sorry", why->text);
            write_answer(page, answer);
        }
    }
    if (page->reply)
        web_reply(page->reply, page->status, &page->out);
    free_page(page);
}

/* The answer is dropped, and whoever asks next does not wait for it. */
static void archive_page_on_gone(void *user)
{
    ArchivePage *page = user;
    archive_reader_drop(page->reader, &page->question);
}

WebStatus archive_page_ask(ArchiveReader *reader, ArchivePageKind kind, const char *account,
                           const WebQuery *query, struct json_object *site,
                           struct json_object *known)
{
    ArchivePage *page = site ? calloc(1, sizeof *page) : NULL;
    if (!page) {
        json_object_put(site);
        json_object_put(known);
        return WEB_FAILED;
    }
    page->question = (ArchiveQuestion){ .read = read_page, .on_read = archive_page_on_read };
    page->reader = reader;
    page->kind = kind;
    page->answer = site;
    page->status = WEB_OK;
    page->known = known;
    page->is_one_account =
        account && text_copy(page->account, sizeof page->account, text_of(account));
    buf_init(&page->out, WEB_BODY_MAX);
    for (size_t i = 0; i < query->count; i++)
        archive_query_take(&page->query, query->at[i].name, query->at[i].value);
    bool is_game = kind == ARCHIVE_PAGE_GAME || kind == ARCHIVE_PAGE_PGN;
    bool is_valid = !is_game || (game_id_is_valid(query->rest) &&
                                 text_copy(page->id, sizeof page->id, query->rest));
    if (!is_valid || !archive_reader_ask(reader, &page->question)) {
        free_page(page);
        return is_valid ? WEB_BUSY : WEB_NOT_FOUND;
    }
    page->reply = web_reply_later(query, archive_page_on_gone, page);
    return page->reply ? WEB_LATER : WEB_FAILED;
}
