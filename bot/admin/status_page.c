/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_page.h"

#include "bot/admin/archive_page.h"
#include "bot/admin/game_json.h"
#include "bot/admin/live_feed.h"
#include "bot/admin/metrics.h"
#include "bot/admin/page_shell.h"
#include "bot/admin/web_assets.h"
#include "bot/archive/archive.h"
#include "bot/review/pgn.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/json_put.h"
#include "bot/ops/web_server.h"
#include "engine/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { ASSET_NAME_SIZE = 20 };

struct StatusPage {
    StatusView view;
    WebServer *server; /* NULL: the address cannot be used */
    LiveFeed *feed;
    ArchiveReader *archive; /* NULL: it is off */
};

/* ---- the state ---- */

static WebStatus write_json(Buf *out, struct json_object *json)
{
    bool ok = json && json_put_line(out, json);
    json_object_put(json);
    return ok ? WEB_OK : WEB_FAILED;
}

static WebStatus write_status(void *user, const WebQuery *query, Buf *out)
{
    const StatusPage *page = user;
    (void)query;
    return write_json(out, status_json_make(&page->view));
}

static WebStatus write_metrics(void *user, const WebQuery *query, Buf *out)
{
    const StatusPage *page = user;
    struct json_object *status = status_json_make(&page->view);
    bool ok = status && metrics_write(status, out);
    (void)query;
    json_object_put(status);
    return ok ? WEB_OK : WEB_FAILED;
}

static WebStatus write_events(void *user, const WebQuery *query, Buf *out)
{
    StatusPage *page = user;
    (void)query;
    return page->feed && live_feed_begin(page->feed, out) ? WEB_STREAM : WEB_FAILED;
}

/* ---- the archive ---- */

/* Whose daemon it is. */
static void put_site(const StatusPage *page, struct json_object *to)
{
    const BotContext *context = page->view.context;
    json_put_text(to, "account", context->our_id);
    json_put_text(to, "url", context->config->account.url);
}

/* What an answer of the archive begins with. */
static struct json_object *site_json(const StatusPage *page)
{
    struct json_object *to = json_object_new_object();
    if (to)
        put_site(page, to);
    return to;
}

/* Takes `site` and `known`, see archive_page.h. */
static WebStatus ask_archive(const StatusPage *page, ArchivePageKind kind, const WebQuery *query,
                             struct json_object *site, struct json_object *known)
{
    const BotContext *context = page->view.context;
    bool is_shared = archive_status(context->archive).is_shared;
    return archive_page_ask(page->archive, kind, is_shared ? context->our_id : NULL, query, site,
                            known);
}

/* A list or statistics. Takes `site`. */
static WebStatus write_of_archive(const StatusPage *page, ArchivePageKind kind,
                                  const WebQuery *query, struct json_object *site, Buf *out)
{
    if (page->archive)
        return ask_archive(page, kind, query, site, NULL);
    if (site)
        json_put_text(site, "sorry", "The archive is off: no game is kept.");
    return write_json(out, site);
}

static WebStatus write_games_json(void *user, const WebQuery *query, Buf *out)
{
    return write_of_archive(user, ARCHIVE_PAGE_GAMES, query, site_json(user), out);
}

static WebStatus write_stats_json(void *user, const WebQuery *query, Buf *out)
{
    const StatusPage *page = user;
    struct json_object *site = site_json(page);
    if (site)
        json_put_value(site, "moves", status_json_moves(&page->view));
    return write_of_archive(page, ARCHIVE_PAGE_STATS, query, site, out);
}

/* ---- one game ---- */

/* The archive knows more of a game that has ended, and is asked for any other that is not being
 * played. */
static bool is_for_archive(const StatusPage *page, const struct json_object *game)
{
    return page->archive && (!game || text_is(jsonread_text(game, "phase"), "over"));
}

static WebStatus write_game_json(void *user, const WebQuery *query, Buf *out)
{
    const StatusPage *page = user;
    struct json_object *game = game_json_find(page->view.games, query->rest, 0);
    if (game)
        put_site(page, game);
    if (is_for_archive(page, game))
        return ask_archive(page, ARCHIVE_PAGE_GAME, query, site_json(page), game);
    return game ? write_json(out, game) : WEB_NOT_FOUND;
}

static WebStatus write_pgn(void *user, const WebQuery *query, Buf *out)
{
    const StatusPage *page = user;
    const char *url = page->view.context->config->account.url;
    if (page->archive)
        return ask_archive(page, ARCHIVE_PAGE_PGN, query, site_json(page), NULL);
    const GameRecord *record = game_set_find_recent(page->view.games, query->rest);
    if (!record)
        return WEB_NOT_FOUND;
    return pgn_write(record, url, out) ? WEB_OK : WEB_FAILED;
}

/* ---- what a browser begins with ---- */

static WebStatus write_shell(Buf *out, PageKind kind)
{
    return page_shell_write(out, kind, (Text){ 0 }) ? WEB_OK : WEB_FAILED;
}

/* Whether there is such a game is for the archive to say, once its JSON is asked for. */
static WebStatus write_game_shell(Buf *out, PageKind kind, Text id)
{
    if (!game_id_is_valid(id))
        return WEB_NOT_FOUND;
    return page_shell_write(out, kind, id) ? WEB_OK : WEB_FAILED;
}

static WebStatus write_overview(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_shell(out, PAGE_KIND_OVERVIEW);
}

static WebStatus write_games(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_shell(out, PAGE_KIND_GAMES);
}

static WebStatus write_stats(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_shell(out, PAGE_KIND_STATS);
}

static WebStatus write_game(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    return write_game_shell(out, PAGE_KIND_GAME, query->rest);
}

static WebStatus write_overlay(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    return text_is(query->rest, "latest") ? write_shell(out, PAGE_KIND_LATEST)
                                          : write_game_shell(out, PAGE_KIND_OVERLAY, query->rest);
}

/* ---- files ---- */

static WebStatus write_asset(const char *name, Buf *out)
{
    Text file = web_asset(name);
    return buf_put(out, file.at, file.len) ? WEB_OK : WEB_FAILED;
}

static WebStatus write_style(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_asset("page.css", out);
}

static WebStatus write_script(void *user, const WebQuery *query, Buf *out)
{
    char name[ASSET_NAME_SIZE];
    (void)user;
    bool is_script = query->rest.len > 3 &&
                     memcmp(query->rest.at + query->rest.len - 3, ".js", 3) == 0 &&
                     text_copy(name, sizeof name, query->rest);
    if (!is_script || web_asset(name).len == 0)
        return WEB_NOT_FOUND;
    return write_asset(name, out);
}

static WebStatus write_icon(void *user, const WebQuery *query, Buf *out)
{
    (void)user;
    (void)query;
    return write_asset("icon.svg", out);
}

#define HTML "text/html; charset=utf-8"
#define JSON "application/json"

static const WebRoute routes[] = {
    { "/", HTML, write_overview },
    { "/games", HTML, write_games },
    { "/stats", HTML, write_stats },
    { "/game/*", HTML, write_game },
    { "/overlay/*", HTML, write_overlay },
    { "/games.json", JSON, write_games_json },
    { "/stats.json", JSON, write_stats_json },
    { "/json/*", JSON, write_game_json },
    { "/pgn/*", "application/vnd.chess-pgn", write_pgn },
    { "/events", "text/event-stream", write_events },
    { "/metrics", "text/plain; version=0.0.4; charset=utf-8", write_metrics },
    { "/status.json", JSON, write_status },
    { "/page.css", "text/css; charset=utf-8", write_style },
    { "/js/*", "text/javascript; charset=utf-8", write_script },
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
        !web_server_new(&page->server, context->loop, &address, routes, page, &why))
        log_error(context->log, "page", "off", FIELDS(F("at", where), F("why", why.text)));
    else if (!address.is_loopback)
        log_warning(context->log, "page", "listening",
                    FIELDS(F("at", where),
                           F("why", "other machines can see it, and nothing asks who they are")));
    else
        log_info(context->log, "page", "listening", FIELDS(F("at", where)));
    const char *archive = archive_status(context->archive).path;
    if (page->server && (!live_feed_new(&page->feed, page->server, view, err) ||
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
    web_server_close(page->server);
    free(page);
}
