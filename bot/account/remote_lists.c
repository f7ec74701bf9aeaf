/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/remote_lists.h"

#include "bot/config/namelist.h"
#include "bot/archive/archive.h"
#include "bot/config/settings.h"
#include "bot/http/http.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCES_MAX = LIST_USE_COUNT * URL_LIST_MAX + TEAMS_MAX,
    ETAG_SIZE = 200,
    FETCH_TIMEOUT_MS = 30000,
    TEAM_TIMEOUT_MS = 10 * 60 * 1000, /* Lichess sends some twenty members a second */
    TEAM_BODY_MAX = 8 << 20,
    LIST_URL_SIZE = 2 * URL_SIZE,
    FILE_MAX = 1 << 20,
    RETRY_MS = 5 * 60 * 1000,
};

#define COPY_LIFE_MS (365 * DURATION_DAY_MS) /* since it was written */
#define COPY_RENEW_MS (30 * DURATION_DAY_MS) /* so seldom is one written anew that is unchanged */

typedef struct {
    RemoteLists *lists;
    ListUse use;
    char url[LIST_URL_SIZE];
    bool is_team; /* its members, as the server lists them */
    char etag[ETAG_SIZE];
    int64_t kept_until_ms; /* the copy; Unix, 0: none */
    UserList names;
    HttpRequest *request;
    int64_t due_ms;
} ListSource;

struct RemoteLists {
    const BotContext *context;
    Http *http;
    uv_timer_t timer;
    int64_t refresh_ms;
    ListSource sources[SOURCES_MAX];
    int count;
};

static void take_names(ListSource *source, UserList *names, const char *from)
{
    user_list_release(&source->names);
    source->names = *names;
    log_info(source->lists->context->log, "lists", "read",
             FIELDS(F("url", source->url), F("names", source->names.count), F("from", from)));
}

/* An ETag that does not fit is none: the list is then sent whole each time. */
static void keep_etag(ListSource *source, Text etag)
{
    (void)!text_copy(source->etag, sizeof source->etag, etag);
}

/* The copy: the ETag, then the names, a line each. */

static void remote_lists_on_copy(void *user, const Fact *fact)
{
    ListSource *source = user;
    if (strcmp(fact_id(FACT_LIST, fact), source->url) != 0)
        return;
    Text rest = text_of(fact->value);
    const char *end = rest.len > 0 ? memchr(rest.at, '\n', rest.len) : NULL;
    UserList names;
    if (!end || !namelist_parse(&names, end, (size_t)(rest.at + rest.len - end), NULL))
        return;
    keep_etag(source, (Text){ rest.at, (size_t)(end - rest.at) });
    take_names(source, &names, "copy");
    source->kept_until_ms = fact->expires_ms;
}

static void read_copy(ListSource *source)
{
    archive_each_fact(source->lists->context->archive, FACT_LIST, remote_lists_on_copy, source);
}

static void keep_copy(ListSource *source)
{
    int64_t until_ms = clock_unix_ms() + COPY_LIFE_MS;
    Buf copy;
    buf_init(&copy, FACT_VALUE_MAX - 1);
    bool ok = buf_printf(&copy, "%s\n", source->etag);
    for (size_t i = 0; i < source->names.count && ok; i++)
        ok = buf_printf(&copy, "%s\n", source->names.ids[i]);
    if (ok)
        archive_remember(source->lists->context->archive, FACT_LIST, text_of(source->url),
                         buf_view(&copy), until_ms);
    source->kept_until_ms = ok ? until_ms : 0;
    buf_release(&copy);
}

/* Asking. */

static void arm_timer(RemoteLists *lists);

static void remote_lists_on_answer(void *user, const HttpResult *result)
{
    ListSource *source = user;
    RemoteLists *lists = source->lists;
    UserList names;
    Error err = { 0 };
    int status = result->head.status;
    bool is_answered = result->outcome == HTTP_ANSWERED;
    source->request = NULL;
    source->due_ms = clock_now_ms() + lists->refresh_ms;
    if (is_answered && status == 200 &&
        namelist_parse(&names, result->body.at, result->body.len, &err)) {
        keep_etag(source, result->head.etag);
        take_names(source, &names, "web");
        keep_copy(source);
    } else if (is_answered && status == 304) {
        if (source->kept_until_ms < clock_unix_ms() + COPY_LIFE_MS - COPY_RENEW_MS)
            keep_copy(source);
        log_debug(lists->context->log, "lists", "unchanged", FIELDS(F("url", source->url)));
    } else {
        int64_t soon = clock_now_ms() + RETRY_MS;
        source->due_ms = soon < source->due_ms ? soon : source->due_ms;
        log_warning(lists->context->log, "lists", "fetch-failed",
                    FIELDS(F("url", source->url), F("names", source->names.count),
                           F("status", status),
                           F("why", err.code != ERR_NONE ? err.text
                                    : is_answered        ? "not the list"
                                                         : result->error)));
    }
    arm_timer(lists);
}

/* No copy is kept of it: it is here. */
static void read_file(ListSource *source)
{
    UserList names;
    Error err = { 0 };
    Buf text;
    buf_init(&text, FILE_MAX);
    source->due_ms = clock_now_ms() + source->lists->refresh_ms;
    FILE *file = fopen(source->url, "re");
    if (!file)
        error_set(&err, ERR_IO, "%s", strerror(errno));
    bool ok = file && buf_read(&text, file, &err) &&
              namelist_parse(&names, buf_view(&text), text.len, &err);
    if (file)
        fclose(file);
    buf_release(&text);
    if (ok)
        take_names(source, &names, "file");
    else
        log_warning(
            source->lists->context->log, "lists", "fetch-failed",
            FIELDS(F("url", source->url), F("names", source->names.count), F("why", err.text)));
}

static void fetch_list(ListSource *source)
{
    const HttpSpec spec = { .method = HTTP_GET,
                            .url = source->url,
                            .if_none_match = source->etag,
                            .body_max = source->is_team ? TEAM_BODY_MAX : 0,
                            .timeout_ms = source->is_team ? TEAM_TIMEOUT_MS : FETCH_TIMEOUT_MS };
    const HttpCallbacks callbacks = { .on_done = remote_lists_on_answer, .user = source };
    Error err = { 0 };
    source->request = http_request(source->lists->http, &spec, &callbacks, &err);
    source->due_ms = source->request ? INT64_MAX : clock_now_ms() + RETRY_MS;
    if (!source->request)
        log_warning(source->lists->context->log, "lists", "fetch-failed",
                    FIELDS(F("url", source->url), F("why", err.text)));
}

static void refresh(ListSource *source)
{
    if (url_list_is_file(source->url))
        read_file(source);
    else
        fetch_list(source);
}

static void remote_lists_on_timer(uv_timer_t *timer)
{
    RemoteLists *lists = timer->data;
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].due_ms <= clock_now_ms())
            refresh(&lists->sources[i]);
    arm_timer(lists);
}

static void arm_timer(RemoteLists *lists)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].due_ms < next)
            next = lists->sources[i].due_ms;
    timer_set(&lists->timer, remote_lists_on_timer, next);
}

static ListSource *add_source(RemoteLists *lists, ListUse use)
{
    ListSource *source = &lists->sources[lists->count++];
    *source = (ListSource){ .lists = lists, .use = use, .due_ms = clock_now_ms() };
    return source;
}

static void add_sources(RemoteLists *lists, ListUse use, const UrlList *urls)
{
    for (int i = 0; i < urls->count; i++) {
        ListSource *source = add_source(lists, use);
        text_format(source->url, sizeof source->url, "%s", urls->at[i]);
        read_copy(source);
    }
}

static void add_teams(RemoteLists *lists, const Config *config)
{
    for (int i = 0; i < config->matchmaking.teams.count; i++) {
        ListSource *source = add_source(lists, LIST_ONLY);
        source->is_team = true;
        text_format(source->url, sizeof source->url, "%s/api/team/%s/users", config->account.url,
                    config->matchmaking.teams.at[i]);
        read_copy(source);
    }
}

bool remote_lists_new(RemoteLists **out, const BotContext *context, Error *err)
{
    const Config *config = context->config;
    RemoteLists *lists = alloc_zeroed(sizeof *lists, "lists", err);
    const HttpOptions http = { .origin = "", .ca_file = config->account.ca_file };
    if (!lists)
        return false;
    lists->context = context;
    lists->refresh_ms = (int64_t)config->challenge.list_refresh_min * 60 * 1000;
    if (!http_new(&lists->http, context->loop, &http, err)) {
        free(lists);
        return false;
    }
    timer_init(context->loop, &lists->timer, lists);
    add_sources(lists, LIST_BLOCK, &config->challenge.block_list);
    add_sources(lists, LIST_ALLOW, &config->challenge.allow_list);
    add_sources(lists, LIST_ONLY, &config->matchmaking.only_list);
    add_teams(lists, config);
    arm_timer(lists);
    *out = lists;
    return true;
}

void remote_lists_recall(RemoteLists *lists)
{
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].names.count == 0)
            read_copy(&lists->sources[i]);
}

void remote_lists_close(RemoteLists *lists)
{
    if (!lists)
        return;
    for (int i = 0; i < lists->count; i++)
        user_list_release(&lists->sources[i].names);
    http_close(lists->http, NULL, NULL); /* and with it the request */
    timer_close(&lists->timer);
}

bool remote_lists_any(const RemoteLists *lists, ListUse use)
{
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].use == use)
            return true;
    return false;
}

bool remote_lists_has(const RemoteLists *lists, ListUse use, Text id)
{
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].use == use && user_list_has(&lists->sources[i].names, id))
            return true;
    return false;
}
