/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/archive_page.h"

#include "bot/admin/analysis_json.h"
#include "bot/admin/game_json.h"
#include "bot/admin/games_html.h"
#include "bot/admin/page_html.h"
#include "bot/admin/stats_html.h"
#include "bot/archive/store_analysis.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/json_put.h"
#include "engine/base/clock.h"

#include <stdlib.h>

enum {
    OPENINGS_SHOWN = 12,
    TIMED_GAMES = 400, /* whose moves are read for the time that they took */
};

typedef struct {
    ArchiveQuestion question; /* the first member */
    ArchivePageKind kind;
    ArchiveReader *reader;
    PageReply *reply; /* NULL: it was not to be had */
    struct json_object *site, *known;
    ArchiveQuery query;
    bool is_one_account;
    char account[RECORD_NAME_SIZE];
    char id[GAME_ID_SIZE];
    PageStatus status; /* what came of it */
    Buf out;
    int rows;
    TimeUse times[SPEED_COUNT];
    TimeByMove by_move;
} ArchivePage;

static void free_page(ArchivePage *page)
{
    json_object_put(page->site);
    json_object_put(page->known);
    buf_release(&page->out);
    free(page);
}

static void note(ArchivePage *page, bool ok)
{
    if (!ok)
        page->status = PAGE_FAILED;
}

/* ---- on a thread of the pool ---- */

static void on_game(void *user, const GameRecord *record, int plies)
{
    ArchivePage *page = user;
    if (page->rows++ < GAMES_HTML_ROWS)
        note(page, games_html_row(&page->out, record, plies));
}

static StoreFilter filter_of(const ArchivePage *page)
{
    StoreFilter filter = archive_query_filter(&page->query, clock_unix_ms());
    filter.account = page->is_one_account ? page->account : NULL;
    return filter;
}

static bool write_games(ArchivePage *page, Store *store, Error *err)
{
    StoreFilter filter = filter_of(page);
    filter.limit = GAMES_HTML_ROWS + 1;
    filter.skip = page->query.page * GAMES_HTML_ROWS;
    note(page, games_html_begin(&page->out, page->site, &page->query));
    if (!store_find_games(store, &filter, STORE_SUMMARIES, STORE_NEWEST_FIRST, on_game, page, err))
        return false;
    note(page, games_html_end(&page->out, &page->query, page->rows > GAMES_HTML_ROWS));
    return true;
}

static bool write_json(Buf *out, struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    return text && buf_put_text(out, text) && buf_put_char(out, '\n');
}

static void on_whole_game(void *user, const GameRecord *record, int plies)
{
    GameRecord *copy = user;
    (void)plies;
    if (!record_copy(copy, record))
        record_init(copy);
}

static void write_out(ArchivePage *page, struct json_object *game)
{
    page->status = PAGE_OK;
    note(page, page->kind == ARCHIVE_PAGE_GAME_JSON ? write_json(&page->out, game)
                                                    : page_html_game(page->site, game, &page->out));
}

/* NULL without memory. */
static struct json_object *game_with_analysis(Store *store, const GameRecord *record, Error *err)
{
    struct json_object *game = game_json_of_record(record, 0);
    PositionEval *evals = calloc(record->count + 1, sizeof *evals);
    int64_t nodes = 0;
    if (game && evals && store_read_analysis(store, record, evals, &nodes, err) && nodes > 0)
        json_put_value(game, "analysis", analysis_json(record, evals));
    free(evals);
    return game;
}

static bool write_game(ArchivePage *page, Store *store, Error *err)
{
    const StoreFilter filter = { .id = page->id,
                                 .account = page->is_one_account ? page->account : NULL,
                                 .limit = 1 };
    GameRecord record;
    record_init(&record);
    bool ok = store_find_games(store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST, on_whole_game,
                               &record, err);
    struct json_object *game = record.id[0] != '\0' ? game_with_analysis(store, &record, err)
                                                    : json_object_get(page->known);
    page->status = PAGE_NOT_FOUND;
    if (game)
        write_out(page, game);
    json_object_put(game);
    record_release(&record);
    return ok;
}

static void on_row(void *user, const StatsRow *row)
{
    ArchivePage *page = user;
    note(page, stats_html_row(&page->out, row));
}

static bool write_table(ArchivePage *page, Store *store, StatsBy by, const char *title,
                        int64_t limit, Error *err)
{
    StoreFilter filter = filter_of(page);
    note(page, stats_html_table(&page->out, title, stats_by_name(by)));
    if (!stats_read(store, &filter, by, limit, on_row, page, err))
        return false;
    note(page, stats_html_table_end(&page->out));
    return true;
}

static void on_timed_game(void *user, const GameRecord *record, int plies)
{
    ArchivePage *page = user;
    (void)plies;
    time_use_add(&page->times[record->speed], &page->by_move, record);
}

static bool write_stats(ArchivePage *page, Store *store, Error *err)
{
    StoreFilter filter = filter_of(page);
    Progress progress;
    note(page, stats_html_begin(&page->out, page->site, &page->query));
    if (!write_table(page, store, STATS_KIND, "Against", AGAINST_COUNT, err) ||
        !write_table(page, store, STATS_SPEED, "Speeds", SPEED_COUNT, err) ||
        !progress_read(store, &filter, &progress, err))
        return false;
    note(page, stats_html_progress(&page->out, &progress));
    if (!write_table(page, store, STATS_OPENING, "Openings", OPENINGS_SHOWN, err))
        return false;
    filter.limit = TIMED_GAMES;
    if (!store_find_games(store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST, on_timed_game,
                          page, err))
        return false;
    note(page, stats_html_times(&page->out, page->times, &page->by_move) &&
                   stats_html_echo(&page->out, jsonread_object(page->site, "moves")) &&
                   stats_html_end(&page->out));
    return true;
}

static bool read_page(ArchiveQuestion *question, Store *store, Error *err)
{
    ArchivePage *page = (ArchivePage *)(void *)question;
    switch (page->kind) {
    case ARCHIVE_PAGE_GAMES:
        return write_games(page, store, err);
    case ARCHIVE_PAGE_STATS:
        return write_stats(page, store, err);
    case ARCHIVE_PAGE_GAME:
    case ARCHIVE_PAGE_GAME_JSON:
        break;
    }
    return write_game(page, store, err);
}

/* ---- on the loop ---- */

static void on_read(ArchiveQuestion *question, const Error *why)
{
    ArchivePage *page = (ArchivePage *)(void *)question;
    if (error_is_set(why)) {
        bool is_page = page->kind != ARCHIVE_PAGE_GAME_JSON;
        buf_reset(&page->out);
        if (page->known)
            write_out(page, page->known);
        else
            page->status =
                is_page && page_html_sorry(&page->out, page->site, PAGE_KIND_GAMES, why->text)
                    ? PAGE_OK
                    : PAGE_BUSY;
    }
    if (page->reply)
        page_reply(page->reply, page->status, &page->out);
    free_page(page);
}

/* The answer is dropped, and whoever asks next does not wait for it. */
static void on_gone(void *user)
{
    ArchivePage *page = user;
    archive_reader_drop(page->reader, &page->question);
}

PageStatus archive_page_ask(ArchiveReader *reader, ArchivePageKind kind, const char *account,
                            const PageQuery *query, struct json_object *site,
                            struct json_object *known)
{
    ArchivePage *page = site ? calloc(1, sizeof *page) : NULL;
    if (!page) {
        json_object_put(site);
        json_object_put(known);
        return PAGE_FAILED;
    }
    page->question = (ArchiveQuestion){ .read = read_page, .on_read = on_read };
    page->reader = reader;
    page->kind = kind;
    page->site = site;
    page->known = known;
    page->is_one_account =
        account && text_copy(page->account, sizeof page->account, text_of(account));
    buf_init(&page->out, PAGE_BODY_MAX);
    for (size_t i = 0; i < query->count; i++)
        archive_query_take(&page->query, query->at[i].name, query->at[i].value);
    bool is_game = kind == ARCHIVE_PAGE_GAME || kind == ARCHIVE_PAGE_GAME_JSON;
    bool is_valid = !is_game || (game_id_is_valid(query->rest) &&
                                 text_copy(page->id, sizeof page->id, query->rest));
    if (!is_valid || !archive_reader_ask(reader, &page->question)) {
        free_page(page);
        return is_valid ? PAGE_BUSY : PAGE_NOT_FOUND;
    }
    page->reply = page_reply_later(query, on_gone, page);
    return page->reply ? PAGE_LATER : PAGE_FAILED;
}
