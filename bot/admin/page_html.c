/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/page_html.h"

#include "bot/admin/game_html.h"
#include "bot/admin/html.h"
#include "bot/admin/status_html.h"
#include "bot/admin/web_assets.h"
#include "bot/lichess/jsonread.h"

enum { REFRESH_S = 5 };

/* `kind`: the page's name in page.js and page.css. */
static bool begin(Buf *out, Text title, const char *kind, const char *more)
{
    Text pieces = web_asset("pieces.svg");
    return buf_put_text(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                             "<meta name=\"viewport\" content=\"width=device-width\"><title>") &&
           html_put(out, title) &&
           buf_printf(out,
                      "</title><link rel=\"stylesheet\" href=\"/page.css\">"
                      "<link rel=\"icon\" href=\"/icon.svg\">"
                      "<script src=\"/page.js\" defer></script>"
                      "<noscript><meta http-equiv=\"refresh\" content=\"%d\"></noscript></head>\n"
                      "<body data-kind=\"%s\"%s>",
                      REFRESH_S, kind, more) &&
           buf_put(out, pieces.at, pieces.len);
}

static bool end(Buf *out)
{
    return buf_put_text(out, "</body></html>\n");
}

static bool put_header(Buf *out, const struct json_object *status)
{
    return buf_put_text(out, "<header><h1>") && html_put_member(out, status, "account") &&
           buf_put_text(out, " on ") && html_put_member(out, status, "url") &&
           buf_put_text(out, "</h1><nav><a href=\"/\">games</a></nav></header>\n");
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
    return begin(out, jsonread_text(status, "account"), "overview", "") &&
           put_header(out, status) &&
           buf_printf(out,
                      "<main><p id=\"none\"%s>No game is being played.</p><div id=\"games\">\n",
                      is_empty ? "" : " hidden") &&
           put_cards(out, games, url) && put_cards(out, recent, url) &&
           buf_put_text(out, "</div>\n<h2>State</h2><div id=\"state\">") &&
           status_html_write(status, out) && buf_put_text(out, "</div></main>\n<p>castled ") &&
           html_put_member(out, status, "version") &&
           buf_put_text(out, " · <a href=\"/metrics\">metrics</a> · "
                             "<a href=\"/status.json\">status.json</a></p>") &&
           end(out);
}

/* ---- one game ---- */

bool page_html_game(const struct json_object *status, const struct json_object *game, Buf *out)
{
    return begin(out, jsonread_text(game, "id"), "game", "") && put_header(out, status) &&
           buf_put_text(out, "<main id=\"games\">") &&
           game_html_write(out, game, jsonread_text(status, "url"), GAME_HTML_WHOLE) &&
           buf_put_text(out, "</main>") && end(out);
}

bool page_html_overlay(const struct json_object *game, OverlayKind kind, Buf *out)
{
    const char *more = kind == OVERLAY_LATEST ? " data-latest=\"yes\"" : "";
    return begin(out, jsonread_text(game, "id"), "overlay", more) &&
           buf_put_text(out, "<main id=\"games\">") &&
           (!game || game_html_write(out, game, (Text){ 0 }, GAME_HTML_BARE)) &&
           buf_put_text(out, "</main>") && end(out);
}
