/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/api.h"

#include "bot/lichess/ndjson.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CALL_TIMEOUT_MS = 10000,
    KEEPALIVE_MS = 7000, /* what Lichess promises */
    SILENCE_MS = 2 * KEEPALIVE_MS + 1000,
    BASE_URL_SIZE = 256,
    PATH_MAX_LEN = 200,
    PLAYING_MOST = 50, /* what Lichess gives at most */
};

struct ApiCall {
    Api *api;
    ApiCall *previous, *next;
    HttpRequest *request;
    ApiFamily family;
    bool is_stream;
    ApiOnAnswer *on_answer; /* of calls */
    void *user;
    ApiStreamCallbacks stream; /* of streams */
    Ndjson lines;
    bool is_reading;   /* a callback of the stream may be running */
    bool is_cancelled; /* meanwhile */
};

struct Api {
    Http *http;
    char *base_url;
    ApiCall *calls;
};

static void call_free(ApiCall *call)
{
    if (call->previous)
        call->previous->next = call->next;
    else
        call->api->calls = call->next;
    if (call->next)
        call->next->previous = call->previous;
    if (call->is_stream)
        ndjson_release(&call->lines);
    free(call);
}

static ApiOutcome outcome_of_status(int status)
{
    if (status >= 200 && status < 300)
        return API_OK;
    if (status == 401)
        return API_UNAUTHORIZED;
    if (status == 403)
        return API_FORBIDDEN;
    if (status == 429)
        return API_LIMITED;
    return status >= 500 ? API_SERVER_ERROR : API_REFUSED;
}

static ApiOutcome outcome_of(const HttpResult *result)
{
    switch (result->outcome) {
    case HTTP_ANSWERED:
        return outcome_of_status(result->head.status);
    case HTTP_UNREACHABLE:
    case HTTP_UNTRUSTED:
        return API_UNREACHABLE;
    case HTTP_TIMED_OUT:
    case HTTP_BROKEN:
    case HTTP_TOO_LARGE:
        return API_LOST;
    case HTTP_SILENT:
        return API_SILENT;
    }
    return API_LOST;
}

/* Makes the answer and hands it to the owner, for whom the call ends with it. */
static void on_done(void *user, const HttpResult *result)
{
    ApiCall *call = user;
    Refusal refusal = { 0 };
    ApiAnswer answer = {
        .outcome = outcome_of(result),
        .family = call->family,
        .status = result->head.status,
        .reason = result->error,
        .is_untrusted = result->outcome == HTTP_UNTRUSTED,
        .oauth_scopes = result->head.oauth_scopes,
        .has_oauth_scopes = result->head.has_oauth_scopes,
        .body = result->body,
        .elapsed_us = result->elapsed_us,
    };
    if (result->outcome == HTTP_ANSWERED && answer.outcome != API_OK) {
        refusal_parse(&refusal, result->body);
        answer.reason = refusal.text;
        answer.limit_key = text_of(refusal.limit_key);
        answer.wait_s =
            refusal.limit_seconds > 0 ? refusal.limit_seconds : result->head.retry_after_s;
    }
    ApiOnAnswer *on_answer = call->is_stream ? call->stream.on_end : call->on_answer;
    void *of_user = call->is_stream ? call->stream.user : call->user;
    if (call->is_stream) { /* a last line without its end */
        call->is_reading = true;
        ndjson_finish(&call->lines);
        call->is_reading = false;
    }
    bool is_cancelled = call->is_cancelled;
    call_free(call);
    if (!is_cancelled)
        on_answer(of_user, &answer);
}

/* ---- streams ---- */

static void on_line(void *user, const char *line, size_t len)
{
    ApiCall *call = user;
    Event event;
    Error err = { 0 };
    if (event_parse(&event, line, len, &err)) {
        call->stream.on_event(call->stream.user, &event);
        event_release(&event);
    } else if (call->stream.on_skipped) {
        call->stream.on_skipped(call->stream.user, (Text){ line, len }, len, &err);
    }
}

static void on_keepalive(void *user)
{
    ApiCall *call = user;
    if (call->stream.on_keepalive)
        call->stream.on_keepalive(call->stream.user);
}

static void on_skipped(void *user, const char *start, size_t len, size_t line_len)
{
    ApiCall *call = user;
    Error err = { 0 };
    error_set(&err, ERR_RANGE, "a line of %zu bytes", line_len);
    if (call->stream.on_skipped)
        call->stream.on_skipped(call->stream.user, (Text){ start, len }, line_len, &err);
}

static void on_head(void *user, const HttpHead *head)
{
    ApiCall *call = user;
    if (head->status == 200 && call->stream.on_open)
        call->stream.on_open(call->stream.user);
}

static void on_bytes(void *user, const char *bytes, size_t len)
{
    ApiCall *call = user;
    call->is_reading = true;
    ndjson_feed(&call->lines, bytes, len);
    call->is_reading = false;
    if (call->is_cancelled)
        call_free(call);
}

/* ---- making calls ---- */

static ApiCall *call_new(Api *api, ApiFamily family, Error *err)
{
    ApiCall *call = calloc(1, sizeof *call);
    if (!call) {
        error_set(err, ERR_MEMORY, "no memory");
        return NULL;
    }
    call->api = api;
    call->family = family;
    call->next = api->calls;
    if (api->calls)
        api->calls->previous = call;
    api->calls = call;
    return call;
}

/* Sends it; on failure the call is gone. */
static ApiCall *call_send(ApiCall *call, const char *path, HttpSpec *spec, Error *err)
{
    char url[BASE_URL_SIZE + PATH_MAX_LEN];
    HttpCallbacks callbacks = {
        .on_head = call->is_stream ? on_head : NULL,
        .on_bytes = call->is_stream ? on_bytes : NULL,
        .on_done = on_done,
        .user = call,
    };
    int n = snprintf(url, sizeof url, "%s%s", call->api->base_url, path);
    assert(n > 0 && (size_t)n < sizeof url);
    (void)n;
    spec->url = url;
    spec->authorize = true;
    call->request = http_request(call->api->http, spec, &callbacks, err);
    if (!call->request) {
        call_free(call);
        return NULL;
    }
    return call;
}

static ApiCall *make_call(Api *api, ApiFamily family, const char *path, HttpSpec *spec,
                          ApiOnAnswer *on_answer, void *user, Error *err)
{
    ApiCall *call = call_new(api, family, err);
    if (!call)
        return NULL;
    call->on_answer = on_answer;
    call->user = user;
    if (spec->timeout_ms == 0)
        spec->timeout_ms = CALL_TIMEOUT_MS;
    return call_send(call, path, spec, err);
}

static ApiCall *make_stream(Api *api, ApiFamily family, const char *path,
                            const ApiStreamCallbacks *callbacks, Error *err)
{
    static const NdjsonCallbacks lines = { on_line, on_keepalive, on_skipped, NULL };
    assert(callbacks->on_event && callbacks->on_end);
    ApiCall *call = call_new(api, family, err);
    if (!call)
        return NULL;
    NdjsonCallbacks mine = lines;
    mine.user = call;
    call->is_stream = true;
    call->stream = *callbacks;
    ndjson_init(&call->lines, &mine, NDJSON_LINE_MAX);
    HttpSpec spec = { .method = HTTP_GET, .silence_ms = SILENCE_MS };
    return call_send(call, path, &spec, err);
}

/* Puts "/api/…{id}…" together; false and an Error when the id may not stand in a URL. */
static bool put_path(char path[PATH_MAX_LEN], const char *before, const char *id, const char *after,
                     Error *err)
{
    if (!game_id_is_valid(text_of(id))) {
        error_set(err, ERR_INVALID, "not a game's or challenge's id");
        return false;
    }
    int n = snprintf(path, PATH_MAX_LEN, "%s%s%s", before, id, after);
    assert(n > 0 && n < PATH_MAX_LEN);
    return n > 0 && n < PATH_MAX_LEN;
}

static ApiCall *command(Api *api, ApiFamily family, const char *before, const char *id,
                        const char *after, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[PATH_MAX_LEN];
    HttpSpec spec = { .method = HTTP_POST };
    if (!put_path(path, before, id, after, err))
        return NULL;
    return make_call(api, family, path, &spec, on_answer, user, err);
}

bool api_new(Api **out, Http *http, const char *base_url, Error *err)
{
    Api *api = calloc(1, sizeof *api);
    if (!api || strlen(base_url) >= BASE_URL_SIZE || !(api->base_url = strdup(base_url))) {
        error_set(err, ERR_MEMORY, "no memory");
        free(api);
        return false;
    }
    api->http = http;
    *out = api;
    return true;
}

void api_free(Api *api)
{
    if (!api)
        return;
    for (ApiCall *call = api->calls, *next; call; call = next) {
        next = call->next;
        assert(!call->is_reading);
        api_cancel(call);
    }
    free(api->base_url);
    free(api);
}

void api_cancel(ApiCall *call)
{
    if (call->is_reading) { /* we are inside one of its callbacks */
        if (!call->is_cancelled)
            http_cancel(call->request);
        call->is_cancelled = true;
        ndjson_stop(&call->lines);
        return;
    }
    http_cancel(call->request);
    call_free(call);
}

ApiCall *api_stream_events(Api *api, const ApiStreamCallbacks *callbacks, Error *err)
{
    return make_stream(api, FAMILY_EVENT_STREAM, "/api/stream/event", callbacks, err);
}

ApiCall *api_stream_game(Api *api, const char *game_id, const ApiStreamCallbacks *callbacks,
                         Error *err)
{
    char path[PATH_MAX_LEN];
    if (!put_path(path, "/api/bot/game/stream/", game_id, "", err))
        return NULL;
    return make_stream(api, FAMILY_GAME_STREAM, path, callbacks, err);
}

ApiCall *api_account(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    HttpSpec spec = { .method = HTTP_GET };
    return make_call(api, FAMILY_REST, "/api/account", &spec, on_answer, user, err);
}

ApiCall *api_playing(Api *api, ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[PATH_MAX_LEN];
    HttpSpec spec = { .method = HTTP_GET };
    int n = snprintf(path, sizeof path, "/api/account/playing?nb=%d", PLAYING_MOST);
    assert(n > 0 && n < PATH_MAX_LEN);
    (void)n;
    return make_call(api, FAMILY_REST, path, &spec, on_answer, user, err);
}

static bool is_uci(const char *uci)
{
    size_t len = strlen(uci);
    if (len < 4 || len > 5)
        return false;
    for (; *uci; uci++)
        if (!isalnum((unsigned char)*uci) && *uci != '@')
            return false;
    return true;
}

ApiCall *api_move(Api *api, const char *game_id, const ApiMove *move, ApiOnAnswer *on_answer,
                  void *user, Error *err)
{
    char path[PATH_MAX_LEN], after[40];
    if (!is_uci(move->uci)) {
        error_set(err, ERR_INVALID, "not a move in UCI");
        return NULL;
    }
    int n = snprintf(after, sizeof after, "/move/%s%s", move->uci,
                     move->offer == MOVE_OFFERING_DRAW ? "?offeringDraw=true" : "");
    assert(n > 0 && (size_t)n < sizeof after);
    (void)n;
    if (!put_path(path, "/api/bot/game/", game_id, after, err))
        return NULL;
    HttpSpec spec = { .method = HTTP_POST,
                      .timeout_ms = move->timeout_ms,
                      .fresh_connection = move->fresh_connection };
    return make_call(api, FAMILY_MOVE, path, &spec, on_answer, user, err);
}

ApiCall *api_abort(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    return command(api, FAMILY_MOVE, "/api/bot/game/", game_id, "/abort", on_answer, user, err);
}

ApiCall *api_resign(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user, Error *err)
{
    return command(api, FAMILY_MOVE, "/api/bot/game/", game_id, "/resign", on_answer, user, err);
}

ApiCall *api_draw(Api *api, const char *game_id, YesNo yes, ApiOnAnswer *on_answer, void *user,
                  Error *err)
{
    return command(api, FAMILY_REST, "/api/bot/game/", game_id,
                   yes == ANSWER_YES ? "/draw/yes" : "/draw/no", on_answer, user, err);
}

ApiCall *api_takeback(Api *api, const char *game_id, YesNo yes, ApiOnAnswer *on_answer, void *user,
                      Error *err)
{
    return command(api, FAMILY_REST, "/api/bot/game/", game_id,
                   yes == ANSWER_YES ? "/takeback/yes" : "/takeback/no", on_answer, user, err);
}

ApiCall *api_claim_victory(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user,
                           Error *err)
{
    return command(api, FAMILY_MOVE, "/api/bot/game/", game_id, "/claim-victory", on_answer, user,
                   err);
}

ApiCall *api_claim_draw(Api *api, const char *game_id, ApiOnAnswer *on_answer, void *user,
                        Error *err)
{
    return command(api, FAMILY_MOVE, "/api/bot/game/", game_id, "/claim-draw", on_answer, user,
                   err);
}

ApiCall *api_accept(Api *api, const char *challenge_id, ApiOnAnswer *on_answer, void *user,
                    Error *err)
{
    return command(api, FAMILY_CHALLENGE, "/api/challenge/", challenge_id, "/accept", on_answer,
                   user, err);
}

ApiCall *api_decline(Api *api, const char *challenge_id, DeclineReason reason,
                     ApiOnAnswer *on_answer, void *user, Error *err)
{
    char path[PATH_MAX_LEN], body[40];
    int n = snprintf(body, sizeof body, "reason=%s", decline_reason_name(reason));
    assert(n > 0 && (size_t)n < sizeof body && reason != DECLINE_UNKNOWN);
    if (!put_path(path, "/api/challenge/", challenge_id, "/decline", err))
        return NULL;
    HttpSpec spec = { .method = HTTP_POST, .body = { body, (size_t)n } };
    return make_call(api, FAMILY_CHALLENGE, path, &spec, on_answer, user, err);
}

const char *api_outcome_name(ApiOutcome outcome)
{
    static const char *const names[] = {
        [API_OK] = "ok",
        [API_REFUSED] = "refused",
        [API_UNAUTHORIZED] = "unauthorized",
        [API_FORBIDDEN] = "forbidden",
        [API_LIMITED] = "limited",
        [API_SERVER_ERROR] = "server-error",
        [API_UNREACHABLE] = "unreachable",
        [API_LOST] = "lost",
        [API_SILENT] = "silent",
    };
    return names[outcome];
}
