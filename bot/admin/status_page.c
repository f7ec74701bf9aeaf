/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_page.h"

#include "bot/admin/game_html.h"
#include "bot/admin/game_json.h"
#include "bot/admin/live_feed.h"
#include "bot/admin/metrics.h"
#include "bot/admin/page_html.h"
#include "bot/admin/web_assets.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/page.h"
#include "engine/base/alloc.h"

#include <stdlib.h>

struct StatusPage {
    StatusView view;
    Page *page; /* NULL: the address cannot be used */
    LiveFeed *feed;
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

static PageStatus write_game_page(void *user, const PageQuery *query, Buf *out)
{
    StatusPage *page = user;
    struct json_object *game = game_json_find(page->view.games, query->rest, 0);
    struct json_object *status = game ? status_report_make(&page->view) : NULL;
    bool is_there = game, ok = status && page_html_game(status, game, out);
    json_object_put(game);
    json_object_put(status);
    return ok ? PAGE_OK : is_there ? PAGE_FAILED : PAGE_NOT_FOUND;
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
    bool is_there = game, ok = game && write_plain(game, out);
    json_object_put(game);
    return ok ? PAGE_OK : is_there ? PAGE_FAILED : PAGE_NOT_FOUND;
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
    if (page->page && !live_feed_new(&page->feed, page->page, view, err)) {
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
    page_close(page->page);
    free(page);
}
