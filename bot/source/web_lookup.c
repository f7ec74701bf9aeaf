/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/web_lookup.h"

#include "bot/source/online_ask.h"
#include "engine/base/clock.h"

#include <string.h>

enum {
    TIMEOUT_MS = 5000, /* of a request at least: beyond the deadline its connection is of use */
    LINE_MAX_BYTES = 1 << 18, /* of a streamed answer */
};

void errand_init(Errand *errand, const ErrandOptions *options)
{
    *errand = (Errand){ .options = *options };
    buf_init(&errand->line, LINE_MAX_BYTES);
}

static void end(Errand *errand, const HttpResult *result)
{
    const ErrandOptions *options = &errand->options;
    ErrandAnswer answer = { .outcome = ONLINE_FAILED, .found = { .move = MOVE_NONE } };
    answer.head = result->head;
    answer.took_ms = clock_now_ms() - errand->asked_at_ms;
    if (result->outcome == HTTP_ANSWERED)
        answer.outcome = online_judge(&answer.found, &answer.among, options->service,
                                      result->head.status, result->body, &errand->position,
                                      &errand->settings, options->seed, &answer.why);
    else
        error_set(&answer.why, ERR_IO, "%s", result->error);
    answer.found.source = online_name(options->service);
    answer.found.time_ms = answer.took_ms;
    errand->request = NULL;
    options->on_answer(options->user, errand, &answer);
}

static void on_done(void *user, const HttpResult *result)
{
    Errand *errand = user;
    HttpResult whole = *result;
    if (errand->line.len > 0) /* a stream that ended without the end of its line */
        whole.body = (Text){ errand->line.text, errand->line.len };
    end(errand, &whole);
}

/* A streamed answer: the first line that is not empty is enough. */
static void on_bytes(void *user, const char *bytes, size_t len)
{
    Errand *errand = user;
    HttpResult result = { .outcome = HTTP_ANSWERED, .head = { .status = 200 } };
    for (; errand->line.len == 0 && len > 0 && *bytes == '\n'; len--)
        bytes++;
    const char *line_end = len > 0 ? memchr(bytes, '\n', len) : NULL;
    if (!buf_put(&errand->line, bytes, line_end ? (size_t)(line_end - bytes) : len))
        result.outcome = HTTP_TOO_LARGE;
    else if (!line_end)
        return;
    http_cancel(errand->request);
    result.error = "the line is too long";
    result.body = (Text){ errand->line.text, errand->line.len };
    end(errand, &result);
}

bool errand_run(Errand *errand, const Position *position, const SourceOrder *order, Error *err)
{
    const ErrandOptions *options = &errand->options;
    char url[ONLINE_URL_SIZE];
    int64_t deadline_ms = online_deadline_ms(order, options->service);
    const HttpSpec spec = { .method = HTTP_GET,
                            .url = url,
                            .authorize = options->authorize,
                            .timeout_ms = deadline_ms > TIMEOUT_MS ? deadline_ms : TIMEOUT_MS };
    HttpCallbacks callbacks = { .on_done = on_done, .user = errand };
    if (online_is_streamed(options->service, order))
        callbacks.on_bytes = on_bytes;
    errand_cancel(errand);
    if (!online_url(url, options->service, options->url, position, order)) {
        error_set(err, ERR_INVALID, "its address is too long");
        return false;
    }
    errand->request = http_request(options->http, &spec, &callbacks, err);
    if (!errand->request)
        return false;
    buf_reset(&errand->line);
    errand->position = *position;
    errand->settings = order->online;
    errand->asked_at_ms = clock_now_ms();
    return true;
}

void errand_cancel(Errand *errand)
{
    if (errand->request)
        http_cancel(errand->request);
    errand->request = NULL;
}

void errand_release(Errand *errand)
{
    buf_release(&errand->line);
}
