/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/page_shell.h"

#include "bot/admin/web_assets.h"

/* The modules that page.js comes to need: asked for at once, and not when another one has come. */
#define ONE_GAME "board clock dom game words"

static const struct {
    const char *name, *json, *modules;
} kinds[PAGE_KIND_COUNT] = {
    [PAGE_KIND_OVERVIEW] = { "overview", "/status.json", ONE_GAME " state" },
    [PAGE_KIND_GAME] = { "game", "/json/", ONE_GAME " curves moves tables" },
    [PAGE_KIND_OVERLAY] = { "overlay", "/json/", ONE_GAME },
    [PAGE_KIND_LATEST] = { "overlay", "/status.json", ONE_GAME },
    [PAGE_KIND_GAMES] = { "games", "/games.json", ONE_GAME " chart lists tables" },
    [PAGE_KIND_STATS] = { "stats", "/stats.json", ONE_GAME " chart lists tables" },
};

static bool put_modules(Buf *out, const char *modules)
{
    Text rest = text_of(modules), name;
    bool ok = true;
    while (ok && (name = text_next_word(&rest, " ")).len > 0)
        ok = buf_printf(out, "<link rel=\"modulepreload\" href=\"/js/%.*s.js\">", TEXT_ARGS(name));
    return ok;
}

bool page_shell_write(Buf *out, PageKind kind, Text id)
{
    Text pieces = web_asset("pieces.svg");
    return buf_put_text(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                             "<meta name=\"viewport\" content=\"width=device-width\">"
                             "<title>castled</title><link rel=\"stylesheet\" href=\"/page.css\">"
                             "<link rel=\"icon\" href=\"/icon.svg\">") &&
           put_modules(out, kinds[kind].modules) &&
           buf_printf(out,
                      "<script type=\"module\" src=\"/js/page.js\"></script></head>\n"
                      "<body data-kind=\"%s\"><noscript><p>Scripts draw this page, and they are "
                      "off; <a href=\"%s%.*s\">the same as JSON</a> needs none.</p></noscript>",
                      kinds[kind].name, kinds[kind].json, TEXT_ARGS(id)) &&
           buf_put(out, pieces.at, pieces.len) && buf_put_text(out, "</body></html>\n");
}
