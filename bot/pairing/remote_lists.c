/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/remote_lists.h"

#include "bot/archive/state_dir.h"
#include "bot/lichess/http.h"
#include "bot/ops/file_replace.h"
#include "bot/ops/timer.h"
#include "bot/policy/namelist.h"
#include "engine/base/clock.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCES_MAX = 2 * URL_LIST_MAX,
    ETAG_SIZE = 200,
    FETCH_TIMEOUT_MS = 30000,
    RETRY_MS = 5 * 60 * 1000,
    COPY_MAX = HTTP_BODY_MAX + 1000,
};

typedef struct {
    RemoteLists *lists;
    const char *url; /* in lists->block or ->allow */
    char etag[ETAG_SIZE];
    char path[PATH_MAX]; /* of the copy; "": there is no place for one */
    UserList names;
    HttpRequest *request;
    int64_t due_ms;
} ListSource;

struct RemoteLists {
    uv_loop_t *loop;
    Log *log;
    Http *http;
    uv_timer_t timer;
    int64_t refresh_ms;
    UrlList block, allow;
    ListSource sources[SOURCES_MAX]; /* those of `block`, then those of `allow` */
    int count;
};

/* The copy: "# URL", "# ETAG", then what the server sent. */

/* After: FNV-1a, 64 bits; it only has to tell a few addresses apart. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037U;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211U;
    return hash;
}

static void find_place(ListSource *source)
{
    char name[40];
    Error err = { 0 };
    int len = snprintf(name, sizeof name, "list-%016" PRIx64 ".txt", hash_of(source->url));
    if (len <= 0 || !state_dir_path(source->path, sizeof source->path, name, &err) ||
        !state_dir_make(source->path, &err)) {
        source->path[0] = '\0';
        log_warning(source->lists->log, "lists", "no-copy",
                    FIELDS(F("url", source->url), F("why", err.text)));
    }
}

/* The next line behind "# ", without its end; false where there is none. */
static bool take_head(const char **text, size_t *len, Text *line)
{
    const char *end = *len > 0 ? memchr(*text, '\n', *len) : NULL;
    if (!end || **text != '#')
        return false;
    *line = (Text){ *text + 2, end - *text >= 2 ? (size_t)(end - *text) - 2 : 0 };
    *len -= (size_t)(end - *text) + 1;
    *text = end + 1;
    return true;
}

static void take_names(ListSource *source, UserList *names, const char *from)
{
    user_list_release(&source->names);
    source->names = *names;
    log_info(source->lists->log, "lists", "read",
             FIELDS(F("url", source->url), F("names", source->names.count), F("from", from)));
}

static void read_copy(ListSource *source)
{
    Buf copy;
    Error err = { 0 };
    FILE *file = source->path[0] ? fopen(source->path, "rb") : NULL;
    if (!file)
        return;
    buf_init(&copy, COPY_MAX);
    bool ok = buf_read(&copy, file, &err);
    fclose(file);
    const char *text = buf_view(&copy);
    size_t len = copy.len;
    Text url = { 0 }, etag = { 0 };
    UserList names;
    ok = ok && take_head(&text, &len, &url) && take_head(&text, &len, &etag) &&
         text_is(url, source->url) && etag.len < ETAG_SIZE &&
         namelist_parse(&names, text, len, &err);
    if (ok) {
        memcpy(source->etag, etag.at, etag.len);
        take_names(source, &names, "copy");
    } else {
        log_warning(source->lists->log, "lists", "bad-copy",
                    FIELDS(F("url", source->url),
                           F("why", err.code == ERR_NONE ? "not one of this address" : err.text)));
    }
    buf_release(&copy);
}

/* Written by a thread of libuv's pool. */
typedef struct {
    uv_work_t work;
    Log *log;
    char path[PATH_MAX];
    Buf text;
    Error failure;
} CopyJob;

static void write_copy(uv_work_t *work)
{
    CopyJob *job = work->data;
    const Text text = { job->text.text, job->text.len };
    (void)!file_replace(job->path, &text, 1, &job->failure);
}

static void on_copy_written(uv_work_t *work, int status)
{
    CopyJob *job = work->data;
    if (status == 0 && error_is_set(&job->failure))
        log_warning(job->log, "lists", "no-copy",
                    FIELDS(F("path", job->path), F("why", job->failure.text)));
    buf_release(&job->text);
    free(job);
}

static void keep_copy(ListSource *source, Text body)
{
    CopyJob *job = source->path[0] ? calloc(1, sizeof *job) : NULL;
    if (!job)
        return;
    job->work.data = job;
    job->log = source->lists->log;
    memcpy(job->path, source->path, sizeof job->path);
    buf_init(&job->text, COPY_MAX);
    bool ok = buf_printf(&job->text, "# %s\n# %s\n", source->url, source->etag) &&
              buf_put(&job->text, body.at, body.len) &&
              uv_queue_work(source->lists->loop, &job->work, write_copy, on_copy_written) == 0;
    if (!ok) {
        buf_release(&job->text);
        free(job);
    }
}

/* Asking. */

static void arm_timer(RemoteLists *lists);

/* An ETag that does not fit is none: the list is then sent whole each time. */
static void keep_etag(ListSource *source, Text etag)
{
    bool fits = etag.len < ETAG_SIZE;
    memset(source->etag, 0, sizeof source->etag);
    memcpy(source->etag, fits && etag.len > 0 ? etag.at : "", fits ? etag.len : 0);
}

static void on_answer(void *user, const HttpResult *result)
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
        keep_copy(source, result->body);
    } else if (is_answered && status == 304) {
        log_debug(lists->log, "lists", "unchanged", FIELDS(F("url", source->url)));
    } else {
        int64_t soon = clock_now_ms() + RETRY_MS;
        source->due_ms = soon < source->due_ms ? soon : source->due_ms;
        log_warning(lists->log, "lists", "fetch-failed",
                    FIELDS(F("url", source->url), F("names", source->names.count),
                           F("status", status),
                           F("why", err.code != ERR_NONE ? err.text
                                    : is_answered        ? "not the list"
                                                         : result->error)));
    }
    arm_timer(lists);
}

static void ask(ListSource *source)
{
    const HttpSpec spec = { .method = HTTP_GET,
                            .url = source->url,
                            .if_none_match = source->etag,
                            .timeout_ms = FETCH_TIMEOUT_MS };
    const HttpCallbacks callbacks = { .on_done = on_answer, .user = source };
    Error err = { 0 };
    source->request = http_request(source->lists->http, &spec, &callbacks, &err);
    source->due_ms = source->request ? INT64_MAX : clock_now_ms() + RETRY_MS;
    if (!source->request)
        log_warning(source->lists->log, "lists", "fetch-failed",
                    FIELDS(F("url", source->url), F("why", err.text)));
}

static void on_timer(uv_timer_t *timer)
{
    RemoteLists *lists = timer->data;
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].due_ms <= clock_now_ms())
            ask(&lists->sources[i]);
    arm_timer(lists);
}

static void arm_timer(RemoteLists *lists)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < lists->count; i++)
        if (lists->sources[i].due_ms < next)
            next = lists->sources[i].due_ms;
    timer_set(&lists->timer, on_timer, next);
}

static void add_sources(RemoteLists *lists, const UrlList *urls)
{
    for (int i = 0; i < urls->count; i++) {
        ListSource *source = &lists->sources[lists->count++];
        *source = (ListSource){ .lists = lists, .url = urls->at[i], .due_ms = clock_now_ms() };
        find_place(source);
        read_copy(source);
    }
}

bool remote_lists_new(RemoteLists **out, uv_loop_t *loop, const Config *config, Log *log,
                      Error *err)
{
    RemoteLists *lists = calloc(1, sizeof *lists);
    const HttpOptions http = { .origin = "", .ca_file = config->account.ca_file };
    if (!lists) {
        error_set(err, ERR_MEMORY, "no memory for lists");
        return false;
    }
    lists->loop = loop;
    lists->log = log;
    lists->refresh_ms = (int64_t)config->challenge.list_refresh_min * 60 * 1000;
    lists->block = config->challenge.block_list;
    lists->allow = config->challenge.allow_list;
    if (!http_new(&lists->http, loop, &http, err)) {
        free(lists);
        return false;
    }
    uv_timer_init(loop, &lists->timer);
    lists->timer.data = lists;
    add_sources(lists, &lists->block);
    add_sources(lists, &lists->allow);
    arm_timer(lists);
    *out = lists;
    return true;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void remote_lists_close(RemoteLists *lists)
{
    if (!lists)
        return;
    for (int i = 0; i < lists->count; i++)
        user_list_release(&lists->sources[i].names);
    http_close(lists->http, NULL, NULL); /* and with it what was asked */
    uv_close((uv_handle_t *)&lists->timer, on_timer_closed);
}

static bool is_on(const RemoteLists *lists, int from, int to, Text id)
{
    for (int i = from; i < to; i++)
        if (user_list_has(&lists->sources[i].names, id))
            return true;
    return false;
}

bool remote_lists_block(const RemoteLists *lists, Text id)
{
    return is_on(lists, 0, lists->block.count, id);
}

bool remote_lists_restrict(const RemoteLists *lists)
{
    return lists->allow.count > 0;
}

bool remote_lists_allow(const RemoteLists *lists, Text id)
{
    return is_on(lists, lists->block.count, lists->count, id);
}
