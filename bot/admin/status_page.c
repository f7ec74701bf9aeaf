/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_page.h"

#include "bot/admin/metrics.h"
#include "bot/ops/page.h"
#include "bot/admin/status_html.h"

#include <stdlib.h>

struct StatusPage {
    StatusView view;
    Page *page; /* NULL: the address cannot be used */
};

static PageStatus write_status(StatusPage *page, Buf *out,
                               bool (*write)(const struct json_object *status, Buf *out))
{
    struct json_object *status = status_report_make(&page->view);
    bool ok = status && write(status, out);
    json_object_put(status);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static PageStatus write_page(void *user, const PageQuery *query, Buf *out)
{
    (void)query;
    return write_status(user, out, status_html_write);
}

static PageStatus write_metrics(void *user, const PageQuery *query, Buf *out)
{
    (void)query;
    return write_status(user, out, metrics_write);
}

static PageStatus write_json(void *user, const PageQuery *query, Buf *out)
{
    StatusPage *page = user;
    (void)query;
    struct json_object *status = status_report_make(&page->view);
    const char *text =
        status ? json_object_to_json_string_ext(status, JSON_C_TO_STRING_PLAIN) : NULL;
    bool ok = text && buf_put_text(out, text) && buf_put_char(out, '\n');
    json_object_put(status);
    return ok ? PAGE_OK : PAGE_FAILED;
}

static const PageRoute routes[] = {
    { "/", "text/html; charset=utf-8", write_page },
    { "/metrics", "text/plain; version=0.0.4; charset=utf-8", write_metrics },
    { "/status.json", "application/json", write_json },
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
    StatusPage *page = calloc(1, sizeof *page);
    if (!page) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
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
    *out = page;
    return true;
}

void status_page_close(StatusPage *page)
{
    if (!page)
        return;
    page_close(page->page);
    free(page);
}
