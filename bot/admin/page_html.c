/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/page_html.h"

#include "bot/admin/analysis_html.h"
#include "bot/admin/game_html.h"
#include "bot/admin/html.h"
#include "bot/admin/status_html.h"
#include "bot/admin/web_assets.h"
#include "bot/lichess/jsonread.h"

#include <string.h>

enum { REFRESH_S = 5 };

static const struct {
    const char *name; /* in page.js and page.css */
    const char *path; /* where the links at the top lead; NULL: nowhere */
    const char *link;
} kinds[PAGE_KIND_COUNT] = {
    [PAGE_KIND_OVERVIEW] = { "overview", "/", "now" },
    [PAGE_KIND_GAME] = { "game", NULL, NULL },
    [PAGE_KIND_OVERLAY] = { "overlay", NULL, NULL },
    [PAGE_KIND_GAMES] = { "games", "/games", "finished games" },
    [PAGE_KIND_STATS] = { "stats", "/stats", "statistics" },
};

typedef enum { PAGE_STILL, PAGE_LIVE /* it changes while it is looked at */ } PageLife;

/* `more`: attributes of the body. */
static bool begin(Buf *out, Text title, PageKind kind, PageLife life, const char *more)
{
    Text pieces = web_asset("pieces.svg");
    bool ok = buf_put_text(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                "<meta name=\"viewport\" content=\"width=device-width\"><title>") &&
              html_put(out, title) &&
              buf_put_text(out, "</title><link rel=\"stylesheet\" href=\"/page.css\">"
                                "<link rel=\"icon\" href=\"/icon.svg\">"
                                "<script src=\"/page.js\" defer></script>");
    if (ok && life == PAGE_LIVE)
        ok = buf_printf(out, "<noscript><meta http-equiv=\"refresh\" content=\"%d\"></noscript>",
                        REFRESH_S);
    return ok &&
           buf_printf(out, "</head>\n<body data-kind=\"%s\"%s%s>", kinds[kind].name,
                      life == PAGE_LIVE ? " data-live=\"yes\"" : "", more) &&
           buf_put(out, pieces.at, pieces.len);
}

bool page_html_end(Buf *out)
{
    return buf_put_text(out, "</body></html>\n");
}

/* Of an address without its scheme: "lichess.org". */
static Text host_of(Text url)
{
    const char *scheme_ends = url.len > 0 ? memmem(url.at, url.len, "://", 3) : NULL;
    if (!scheme_ends)
        return url;
    const char *host = scheme_ends + 3;
    return (Text){ host, url.len - (size_t)(host - url.at) };
}

static bool put_header(Buf *out, const struct json_object *site, PageKind here)
{
    bool ok = buf_put_text(out, "<header><h1>") && html_put_member(out, site, "account") &&
              buf_put_text(out, " on ") && html_put(out, host_of(jsonread_text(site, "url"))) &&
              buf_put_text(out, "</h1><nav>");
    for (int kind = 0; ok && kind < PAGE_KIND_COUNT; kind++)
        if (kinds[kind].path)
            ok = buf_printf(out, "<a href=\"%s\"%s>%s</a>", kinds[kind].path,
                            kind == (int)here ? " aria-current=\"page\"" : "", kinds[kind].link);
    return ok && buf_put_text(out, "</nav></header>\n");
}

bool page_html_begin(Buf *out, const struct json_object *site, const char *title, PageKind kind)
{
    return begin(out, text_of(title), kind, PAGE_STILL, "") && put_header(out, site, kind);
}

bool page_html_sorry(Buf *out, const struct json_object *site, PageKind kind, const char *why)
{
    return page_html_begin(out, site, "castled", kind) && buf_put_text(out, "<main><p>") &&
           html_put(out, text_of(why)) && buf_put_text(out, "</p></main>") && page_html_end(out);
}

/* ---- all games ---- */

static size_t count_of(const struct json_object *list)
{
    return list ? json_object_array_length(list) : 0;
}

/* Of a game that is being joined nothing is known yet. */
static bool is_known(const struct json_object *game)
{
    return !text_is(jsonread_text(game, "phase"), "joining");
}

static bool put_cards(Buf *out, const struct json_object *list, Text url)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count_of(list); i++)
        ok = !is_known(json_object_array_get_idx(list, i)) ||
             game_html_write(out, json_object_array_get_idx(list, i), url, GAME_HTML_CARD);
    return ok;
}

bool page_html_overview(const struct json_object *status, Buf *out)
{
    const struct json_object *games = jsonread_array(status, "games");
    const struct json_object *recent = jsonread_array(status, "recent");
    bool is_empty = count_of(games) + count_of(recent) == 0;
    Text url = jsonread_text(status, "url");
    return begin(out, jsonread_text(status, "account"), PAGE_KIND_OVERVIEW, PAGE_LIVE, "") &&
           put_header(out, status, PAGE_KIND_OVERVIEW) &&
           buf_printf(out,
                      "<main><p id=\"none\"%s>No game is being played.</p><div id=\"games\">\n",
                      is_empty ? "" : " hidden") &&
           put_cards(out, games, url) && put_cards(out, recent, url) &&
           buf_put_text(out, "</div>\n<h2>State</h2><div id=\"state\">") &&
           status_html_write(status, out) && buf_put_text(out, "</div></main>\n<p>castled ") &&
           html_put_member(out, status, "version") &&
           buf_put_text(out, " · <a href=\"/metrics\">metrics</a> · "
                             "<a href=\"/status.json\">status.json</a></p>") &&
           page_html_end(out);
}

/* ---- one game ---- */

bool page_html_game(const struct json_object *site, const struct json_object *game, Buf *out)
{
    bool is_over = text_is(jsonread_text(game, "phase"), "over");
    return begin(out, jsonread_text(game, "id"), PAGE_KIND_GAME, is_over ? PAGE_STILL : PAGE_LIVE,
                 "") &&
           put_header(out, site, PAGE_KIND_GAME) && buf_put_text(out, "<main id=\"games\">") &&
           game_html_write(out, game, jsonread_text(site, "url"), GAME_HTML_WHOLE) &&
           analysis_html_write(out, jsonread_object(game, "analysis")) &&
           buf_put_text(out, "</main>") && page_html_end(out);
}

bool page_html_overlay(const struct json_object *game, OverlayKind kind, Buf *out)
{
    const char *more = kind == OVERLAY_LATEST ? " data-latest=\"yes\"" : "";
    return begin(out, jsonread_text(game, "id"), PAGE_KIND_OVERLAY, PAGE_LIVE, more) &&
           buf_put_text(out, "<main id=\"games\">") &&
           (!game || game_html_write(out, game, (Text){ 0 }, GAME_HTML_BARE)) &&
           buf_put_text(out, "</main>") && page_html_end(out);
}
