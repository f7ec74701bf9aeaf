/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A status in which strangers' names and all else may be anything: the page has our own tags only,
 * and what stands in an attribute stays there. */
#include "bot/lichess/jsonread.h"
#include "bot/admin/page_html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool is_ours(const char *name, size_t len)
{
    static const char *const tags[] = {
        "!doctype", "html",   "head",     "meta",   "title",  "link", "body",   "h1",
        "h2",       "p",      "table",    "tr",     "th",     "td",   "a",      "span",
        "b",        "script", "noscript", "svg",    "symbol", "path", "circle", "rect",
        "g",        "use",    "text",     "header", "nav",    "main", "div",    "article"
    };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strlen(tags[i]) == len && memcmp(tags[i], name, len) == 0)
            return true;
    return false;
}

/* From a '<' to behind its '>'. */
static const char *check_tag(const char *at)
{
    const char *name = at + 1 + (at[1] == '/');
    size_t len = strcspn(name, " />");
    must(is_ours(name, len));
    for (at = name + len; *at != '>'; at++) {
        must(*at != '\0' && *at != '<' && !(isspace((unsigned char)*at) && *at != ' '));
        if (*at != '"')
            continue;
        at += 1 + strcspn(at + 1, "\"<>"); /* to the attribute's end, which must be one */
        must(*at == '"' && (at[1] == '>' || at[1] == ' ' || at[1] == '/'));
    }
    return at + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_object *status = jsonread_parse((const char *)data, size, NULL);
    Buf page;
    buf_init(&page, PAGE_MAX);
    if (status && page_html_overview(status, &page)) {
        for (const char *at = buf_view(&page); *at;) {
            must((unsigned char)*at >= ' ' || *at == '\n');
            at = *at == '<' ? check_tag(at) : at + 1;
        }
    }
    buf_release(&page);
    json_object_put(status);
    return 0;
}
