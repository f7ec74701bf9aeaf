/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_page.h"

#include "bot/admin/archive_page.h"
#include "bot/admin/game_html.h"
#include "bot/admin/game_json.h"
#include "bot/admin/live_feed.h"
#include "bot/admin/metrics.h"
#include "bot/admin/page_html.h"
#include "bot/admin/web_assets.h"
#include "bot/archive/archive.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/json_put.h"
#include "bot/ops/page.h"
#include "engine/base/alloc.h"

#include <stdlib.h>

struct StatusPage {
    StatusView view;
    Page *page; /* NULL: the address cannot be used */
    LiveFeed *feed;
    ArchiveReader *archive; /* NULL: it is off */
};

/* ---- the state ---- */

static PageStatus write_status(StatusPage *page, Buf *out,
                               bool (*write)(const struct json_object *status, Buf *out))
{
    struct json_object *status = status_report_make(&page->view);
    bool ok = status && write(status, out);
    json_object_put(status);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_overview(void *user, const PageQuery *query, Buf *out)
{
    (void)query;
    return write_status(user, out, page_html_overview);
}

static PageStatus write_metrics(void *user, const PageQuery *query, Buf *out)
{
    (void)query;
    return write_status(user, out, metrics_write);
}

static bool write_plain(const struct json_object *json, Buf *out)
{
    /* The library keeps the text in the object. */
    union {
        const struct json_object *read;
        struct json_object *written;
    } object = { json };
    const char *text = json_object_to_json_string_ext(object.written, JSON_C_TO_STRING_PLAIN);
    return text && buf_put_text(out, text) && buf_put_char(out, '\n');
}

static PageStatus write_json(void *user, const PageQuery *query, Buf *out)
{
    (void)query;
    return write_status(user, out, write_plain);
}

static PageStatus write_events(void *user, const PageQuery *query, Buf *out)
{
    StatusPage *page = user;
    (void)query;
    return page->feed && live_feed_begin(page->feed, out) ? PAGE_STREAM : PAGE_FAILED;
}

/* ---- the archive ---- */

/* Whose daemon it is, and what else the pages of the archive show of it. */
static struct json_object *site_json(const StatusPage *page)
{
    const BotContext *context = page->view.context;
    struct json_object *to = json_object_new_object();
    if (!to)
        return NULL;
    json_put_text(to, "account", context->our_id);
    json_put_text(to, "url", context->config->account.url);
    json_put_value(to, "moves", status_report_moves(&page->view));
    return to;
}

/* Takes `known`, see archive_page.h. */
static PageStatus ask_archive(const StatusPage *page, ArchivePageKind kind, const PageQuery *query,
                              struct json_object *known)
{
    const BotContext *context = page->view.context;
    bool is_shared = archive_status(context->archive).is_shared;
    return archive_page_ask(page->archive, kind, is_shared ? context->our_id : NULL, query,
                            site_json(page), known);
}

/* A list or statistics. */
static PageStatus write_of_archive(const StatusPage *page, ArchivePageKind kind, PageKind shown,
                                   const PageQuery *query, Buf *out)
{
    if (page->archive)
        return ask_archive(page, kind, query, NULL);
    struct json_object *site = site_json(page);
    bool ok = page_html_sorry(out, site, shown, "The archive is off: no game is kept.");
    json_object_put(site);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_games(void *user, const PageQuery *query, Buf *out)
{
    return write_of_archive(user, ARCHIVE_PAGE_GAMES, PAGE_KIND_GAMES, query, out);
}

static PageStatus write_stats(void *user, const PageQuery *query, Buf *out)
{
    return write_of_archive(user, ARCHIVE_PAGE_STATS, PAGE_KIND_STATS, query, out);
}

/* ---- one game ---- */

static void keep_later(void *user, const Session *session)
{
    const Session **latest = user;
    const GameRecord *record = session_record(session);
    if (record->id[0] != '\0' &&
        (!*latest || record->created_at_ms > session_record(*latest)->created_at_ms))
        *latest = session;
}

static struct json_object *latest_game(const StatusPage *page)
{
    const Session *latest = NULL;
    game_set_each(page->view.games, keep_later, &latest);
    if (latest)
        return game_json_of_session(latest, 0);
    const GameRecord *record = game_set_recent(page->view.games, 0);
    return record ? game_json_of_record(record, 0) : NULL;
}

/* The archive knows more of a game that has ended, and is asked for any other that is not being
 * played. */
static bool is_for_archive(const StatusPage *page, const struct json_object *game)
{
    return page->archive && (!game || text_is(jsonread_text(game, "phase"), "over"));
}

static PageStatus write_game_page(void *user, const PageQuery *query, Buf *out)
{
    StatusPage *page = user;
    struct json_object *game = game_json_find(page->view.games, query->rest, 0);
    if (is_for_archive(page, game))
        return ask_archive(page, ARCHIVE_PAGE_GAME, query, game);
    if (!game)
        return PAGE_NOT_FOUND;
    struct json_object *site = site_json(page);
    bool ok = site && page_html_game(site, game, out);
    json_object_put(game);
    json_object_put(site);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_fragment(const StatusPage *page, Text id, GameHtmlDetail detail, Buf *out)
{
    struct json_object *game = game_json_find(page->view.games, id, 0);
    Text url = text_of(page->view.context->config->account.url);
    bool is_there = game, ok = game && game_html_write(out, game, url, detail);
    json_object_put(game);
    return ok ? PAGE_OK : is_there ? PAGE_FAILED : PAGE_NOT_FOUND;
}

static PageStatus write_card(void *user, const PageQuery *query, Buf *out)
{
    return write_fragment(user, query->rest, GAME_HTML_CARD, out);
}

static PageStatus write_bare(void *user, const PageQuery *query, Buf *out)
{
    return write_fragment(user, query->rest, GAME_HTML_BARE, out);
}

static PageStatus write_game_json(void *user, const PageQuery *query, Buf *out)
{
    const StatusPage *page = user;
    struct json_object *game = game_json_find(page->view.games, query->rest, 0);
    if (is_for_archive(page, game))
        return ask_archive(page, ARCHIVE_PAGE_GAME_JSON, query, game);
    if (!game)
        return PAGE_NOT_FOUND;
    bool ok = write_plain(game, out);
    json_object_put(game);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_overlay(void *user, const PageQuery *query, Buf *out)
{
    const StatusPage *page = user;
    bool is_latest = text_is(query->rest, "latest");
    struct json_object *game =
        is_latest ? latest_game(page) : game_json_find(page->view.games, query->rest, 0);
    if (!game && !is_latest)
        return PAGE_NOT_FOUND;
    bool ok = page_html_overlay(game, is_latest ? OVERLAY_LATEST : OVERLAY_ONE, out);
    json_object_put(game);
    return ok ? PAGE_OK : PAGE_FAILED;
}

/* ---- files ---- */

static PageStatus write_asset(const char *name, Buf *out)
{
    Text file = web_asset(name);
    return buf_put(out, file.at, file.len) ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_style(void *user, const PageQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_asset("page.css", out);
}

static PageStatus write_script(void *user, const PageQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_asset("page.js", out);
}

static PageStatus write_icon(void *user, const PageQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_asset("icon.svg", out);
}

#define HTML "text/html; charset=utf-8"
#define JSON "application/json"

static const PageRoute routes[] = {
    { "/", HTML, write_overview },
    { "/games", HTML, write_games },
    { "/stats", HTML, write_stats },
    { "/game/*", HTML, write_game_page },
    { "/json/*", JSON, write_game_json },
    { "/card/*", HTML, write_card },
    { "/bare/*", HTML, write_bare },
    { "/overlay/*", HTML, write_overlay },
    { "/events", "text/event-stream", write_events },
    { "/metrics", "text/plain; version=0.0.4; charset=utf-8", write_metrics },
    { "/status.json", JSON, write_json },
    { "/page.css", "text/css; charset=utf-8", write_style },
    { "/page.js", "text/javascript; charset=utf-8", write_script },
    { "/icon.svg", "image/svg+xml", write_icon },
    { NULL, NULL, NULL },
};

bool status_page_new(StatusPage **out, const StatusView *view, Error *err)
{
    const BotContext *context = view->context;
    const char *where = context->config->status.page;
    Address address;
    Error why = { 0 };
    *out = NULL;
    if (strcmp(where, "off") == 0)
        return true;
    StatusPage *page = alloc_zeroed(sizeof *page, "the status page", err);
    if (!page)
        return false;
    page->view = *view;
    if (!address_parse(&address, where, &why) ||
        !page_new(&page->page, context->loop, &address, routes, page, &why))
        log_error(context->log, "page", "off", FIELDS(F("at", where), F("why", why.text)));
    else if (!address.is_loopback)
        log_warning(context->log, "page", "listening",
                    FIELDS(F("at", where),
                           F("why", "other machines can see it, and nothing asks who they are")));
    else
        log_info(context->log, "page", "listening", FIELDS(F("at", where)));
    const char *archive = archive_status(context->archive).path;
    if (page->page && (!live_feed_new(&page->feed, page->page, view, err) ||
                       (archive[0] != '\0' &&
                        !archive_reader_new(&page->archive, context->loop, archive, err)))) {
        status_page_close(page);
        return false;
    }
    *out = page;
    return true;
}

void status_page_close(StatusPage *page)
{
    if (!page)
        return;
    live_feed_close(page->feed);
    archive_reader_close(page->archive);
    page_close(page->page);
    free(page);
}
