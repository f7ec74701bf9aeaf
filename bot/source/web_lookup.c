/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/web_lookup.h"

#include "bot/source/online_ask.h"
#include "engine/base/clock.h"

#include <string.h>

enum {
    TIMEOUT_MS = 5000, /* of a request at least: beyond the deadline its connection is of use */
    LINE_MAX_BYTES = 1 << 18, /* of a streamed answer */
};

void web_lookup_init(WebLookup *lookup, const WebLookupOptions *options)
{
    *lookup = (WebLookup){ .options = *options };
    buf_init(&lookup->line, LINE_MAX_BYTES);
}

static void end(WebLookup *lookup, const HttpResult *result)
{
    const WebLookupOptions *options = &lookup->options;
    WebLookupAnswer answer = { .outcome = ONLINE_FAILED, .found = { .move = MOVE_NONE } };
    answer.head = result->head;
    answer.took_ms = clock_now_ms() - lookup->asked_at_ms;
    if (result->outcome == HTTP_ANSWERED)
        answer.outcome = online_judge(&answer.found, &answer.candidates, options->service,
                                      result->head.status, result->body, &lookup->position,
                                      &lookup->settings, options->seed, &answer.why);
    else
        error_set(&answer.why, ERR_IO, "%s", result->error);
    answer.found.source = online_name(options->service);
    answer.found.time_ms = answer.took_ms;
    lookup->transfer = NULL;
    options->on_answer(options->user, lookup, &answer);
}

static void web_lookup_on_done(void *user, const HttpResult *result)
{
    WebLookup *lookup = user;
    HttpResult whole = *result;
    if (lookup->line.len > 0) /* a stream that ended without the end of its line */
        whole.body = (Text){ lookup->line.text, lookup->line.len };
    end(lookup, &whole);
}

/* A streamed answer: the first line that is not empty is enough. */
static void web_lookup_on_bytes(void *user, const char *bytes, size_t len)
{
    WebLookup *lookup = user;
    HttpResult result = { .outcome = HTTP_ANSWERED, .head = { .status = 200 } };
    for (; lookup->line.len == 0 && len > 0 && *bytes == '\n'; len--)
        bytes++;
    const char *line_end = len > 0 ? memchr(bytes, '\n', len) : NULL;
    if (!buf_put(&lookup->line, bytes, line_end ? (size_t)(line_end - bytes) : len))
        result.outcome = HTTP_TOO_LARGE;
    else if (!line_end)
        return;
    http_cancel(lookup->transfer);
    result.error = "the line is too long";
    result.body = (Text){ lookup->line.text, lookup->line.len };
    end(lookup, &result);
}

bool web_lookup_run(WebLookup *lookup, const Position *position, const MoveRequest *request,
                    Error *err)
{
    const WebLookupOptions *options = &lookup->options;
    char url[ONLINE_URL_SIZE];
    int64_t deadline_ms = online_deadline_ms(request, options->service);
    const HttpSpec spec = { .method = HTTP_GET,
                            .url = url,
                            .authorize = options->authorize,
                            .body_max = HTTP_SMALL_BODY,
                            .timeout_ms = deadline_ms > TIMEOUT_MS ? deadline_ms : TIMEOUT_MS };
    HttpCallbacks callbacks = { .on_done = web_lookup_on_done, .user = lookup };
    if (online_is_streamed(options->service, request))
        callbacks.on_bytes = web_lookup_on_bytes;
    web_lookup_cancel(lookup);
    if (!online_url(url, options->service, options->url, position, request)) {
        error_set(err, ERR_INVALID, "its address is too long");
        return false;
    }
    lookup->transfer = http_request(options->http, &spec, &callbacks, err);
    if (!lookup->transfer)
        return false;
    buf_reset(&lookup->line);
    lookup->position = *position;
    lookup->settings = request->online;
    lookup->asked_at_ms = clock_now_ms();
    return true;
}

void web_lookup_cancel(WebLookup *lookup)
{
    if (lookup->transfer)
        http_cancel(lookup->transfer);
    lookup->transfer = NULL;
}

void web_lookup_release(WebLookup *lookup)
{
    buf_release(&lookup->line);
}
