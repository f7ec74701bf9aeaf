/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I6 and I7 of bot/README.md. */
#include "bot/lichess/api.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "tests/support/local_server.h"

#include <json-c/json.h>
#include <signal.h>

static LocalServer server;
static uv_loop_t loop;
static Http *http;

/* What a call or a stream said. */
typedef struct {
    Api *api;
    ApiCall *call;
    int answers, opens, keepalives, skipped;
    ApiOutcome outcome;
    ApiFamily family;
    int status;
    int64_t wait_s;
    Buf text; /* a call's body, a stream's events and what was skipped */
    char reason[300];
    int cancel_after; /* events; 0: never */
    int events;
} Heard;

static void heard_init(Heard *heard)
{
    *heard = (Heard){ 0 };
    buf_init(&heard->text, 1 << 20);
}

static void heard_release(Heard *heard)
{
    buf_release(&heard->text);
}

static void on_answer(void *user, const ApiAnswer *answer)
{
    Heard *heard = user;
    heard->answers++;
    heard->outcome = answer->outcome;
    heard->family = answer->family;
    heard->status = answer->status;
    heard->wait_s = answer->wait_s;
    assert_true(snprintf(heard->reason, sizeof heard->reason, "%s", answer->reason) >= 0);
    assert_true(buf_put(&heard->text, answer->body.at, answer->body.len));
}

static void on_line(void *user, Text line)
{
    assert_true(buf_put(&((Heard *)user)->text, line.at, line.len));
}

static void on_open(void *user)
{
    ((Heard *)user)->opens++;
}

static void on_event(void *user, const Event *event)
{
    Heard *heard = user;
    assert_true(buf_printf(&heard->text, "%.*s|", TEXT_ARGS(event->type_name)));
    if (++heard->events == heard->cancel_after)
        api_cancel(heard->call);
}

static void on_keepalive(void *user)
{
    ((Heard *)user)->keepalives++;
}

static void on_skipped(void *user, Text start, size_t line_len, const Error *err)
{
    Heard *heard = user;
    heard->skipped++;
    assert_true(start.len <= line_len && err->code != ERR_NONE);
    assert_true(buf_printf(&heard->text, "!%zu|", line_len));
}

static void run_until_answered(const Heard *heard)
{
    int64_t end = clock_now_ms() + 20000;
    while (heard->answers == 0 && clock_now_ms() < end)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(heard->answers, 1);
}

static Api *open_api(const char *base_url)
{
    Api *api;
    assert_true(api_new(&api, http, base_url, NULL));
    return api;
}

/* What each function sends, as the server echoes it. */
static ApiCall *call_number(int number, Api *api, Heard *heard)
{
    const ApiStreamCallbacks lines = { .on_line = on_line, .on_end = on_answer, .user = heard };
    static const char id[] = "k7Pq2ZxL";
    ApiMove move = { .uci = "e7e8q" };
    ApiMove offer = { .uci = "e2e4", .offer = MOVE_OFFERING_DRAW, .timeout_ms = 3000 };
    switch (number) {
    case 0:
        return api_call(api, ENDPOINT_ACCOUNT, NULL, on_answer, heard, NULL);
    case 1:
        return api_call(api, ENDPOINT_PLAYING, NULL, on_answer, heard, NULL);
    case 2:
        return api_move(api, id, &move, on_answer, heard, NULL);
    case 3:
        return api_move(api, id, &offer, on_answer, heard, NULL);
    case 4:
        return api_call(api, ENDPOINT_ABORT, id, on_answer, heard, NULL);
    case 5:
        return api_call(api, ENDPOINT_RESIGN, id, on_answer, heard, NULL);
    case 6:
        return api_call(api, ENDPOINT_DRAW_YES, id, on_answer, heard, NULL);
    case 7:
        return api_call(api, ENDPOINT_DRAW_NO, id, on_answer, heard, NULL);
    case 8:
        return api_call(api, ENDPOINT_TAKEBACK_YES, id, on_answer, heard, NULL);
    case 9:
        return api_call(api, ENDPOINT_TAKEBACK_NO, id, on_answer, heard, NULL);
    case 14:
        return api_chat(api, id, "player", "g'day & \xc3\xa4!", on_answer, heard, NULL);
    case 15:
        return api_call(api, ENDPOINT_CHAT_SO_FAR, id, on_answer, heard, NULL);
    case 10:
        return api_call(api, ENDPOINT_CLAIM_VICTORY, id, on_answer, heard, NULL);
    case 11:
        return api_call(api, ENDPOINT_CLAIM_DRAW, id, on_answer, heard, NULL);
    case 12:
        return api_call(api, ENDPOINT_ACCEPT, id, on_answer, heard, NULL);
    case 13:
        return api_decline(api, id, DECLINE_TOO_SLOW, on_answer, heard, NULL);
    case 16:
        return api_challenge(api,
                             &(ApiChallenge){ .opponent = "Some-Bot",
                                              .base_s = 180,
                                              .increment_s = 2,
                                              .rated = true,
                                              .variant = VARIANT_CHESS960,
                                              .colour = BLACK,
                                              .fen = "" },
                             &lines, NULL);
    case 17:
        return api_call(api, ENDPOINT_CANCEL, id, on_answer, heard, NULL);
    case 18:
        return api_call(api, ENDPOINT_ONLINE_BOTS, NULL, on_answer, heard, NULL);
    case 19:
        return api_users_status(api, (const char[][USER_ID_SIZE]){ "alpha", "beta" }, 2, on_answer,
                                heard, NULL);
    case 20:
        return api_call(api, ENDPOINT_UPGRADE, NULL, on_answer, heard, NULL);
    case 21:
        return api_call(api, ENDPOINT_ARENA, id, on_answer, heard, NULL);
    case 22:
        return api_join_arena(api, id, "open sesame", "a-team", on_answer, heard, NULL);
    case 23:
        return api_join_arena(api, id, "", "", on_answer, heard, NULL);
    case 24:
        return api_call(api, ENDPOINT_WITHDRAW, id, on_answer, heard, NULL);
    case 25:
        return api_call(api, ENDPOINT_USER, "some-bot_2", on_answer, heard, NULL);
    case 26:
        return api_challenge(api,
                             &(ApiChallenge){ .opponent = "alba",
                                              .base_s = 60,
                                              .variant = VARIANT_FROM_POSITION,
                                              .colour = COLOUR_NONE,
                                              .fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" },
                             &lines, NULL);
    case 27:
        return api_stream(api, ENDPOINT_TEAM_ARENAS, "engine-arenas_2", &lines, NULL);
    default:
        return NULL;
    }
}

TEST(each_call_asks_for_what_the_api_describes)
{
    static const struct {
        const char *method, *path, *body;
        ApiFamily family;
    } rows[] = {
        { "GET", "/api/account", "", FAMILY_ACCOUNT },
        { "GET", "/api/account/playing?nb=50", "", FAMILY_OTHER },
        { "POST", "/api/bot/game/k7Pq2ZxL/move/e7e8q", "", FAMILY_MOVE },
        { "POST", "/api/bot/game/k7Pq2ZxL/move/e2e4?offeringDraw=true", "", FAMILY_MOVE },
        { "POST", "/api/bot/game/k7Pq2ZxL/abort", "", FAMILY_MOVE },
        { "POST", "/api/bot/game/k7Pq2ZxL/resign", "", FAMILY_MOVE },
        { "POST", "/api/bot/game/k7Pq2ZxL/draw/yes", "", FAMILY_OTHER },
        { "POST", "/api/bot/game/k7Pq2ZxL/draw/no", "", FAMILY_OTHER },
        { "POST", "/api/bot/game/k7Pq2ZxL/takeback/yes", "", FAMILY_OTHER },
        { "POST", "/api/bot/game/k7Pq2ZxL/takeback/no", "", FAMILY_OTHER },
        { "POST", "/api/bot/game/k7Pq2ZxL/claim-victory", "", FAMILY_MOVE },
        { "POST", "/api/bot/game/k7Pq2ZxL/claim-draw", "", FAMILY_MOVE },
        { "POST", "/api/challenge/k7Pq2ZxL/accept", "", FAMILY_CHALLENGE },
        { "POST", "/api/challenge/k7Pq2ZxL/decline", "reason=tooSlow", FAMILY_CHALLENGE },
        { "POST", "/api/bot/game/k7Pq2ZxL/chat", "room=player&text=g%27day%20%26%20%C3%A4%21",
          FAMILY_CHAT },
        { "GET", "/api/bot/game/k7Pq2ZxL/chat", "", FAMILY_CHAT },
        { "POST", "/api/challenge/Some-Bot",
          "clock.limit=180&clock.increment=2&keepAliveStream=true&rated=true&color=black&variant="
          "chess960",
          FAMILY_CREATE },
        { "POST", "/api/challenge/k7Pq2ZxL/cancel", "", FAMILY_CHALLENGE },
        { "GET", "/api/bot/online?nb=512", "", FAMILY_OTHER },
        { "GET", "/api/users/status?ids=alpha,beta", "", FAMILY_OTHER },
        { "POST", "/api/bot/account/upgrade", "", FAMILY_OTHER },
        { "GET", "/api/tournament/k7Pq2ZxL", "", FAMILY_OTHER },
        { "POST", "/api/tournament/k7Pq2ZxL/join",
          "pairMeAsap=true&password=open%20sesame&team=a-team", FAMILY_OTHER },
        { "POST", "/api/tournament/k7Pq2ZxL/join", "pairMeAsap=true", FAMILY_OTHER },
        { "POST", "/api/tournament/k7Pq2ZxL/withdraw", "", FAMILY_OTHER },
        { "GET", "/api/user/some-bot_2", "", FAMILY_OTHER },
        { "POST", "/api/challenge/alba",
          "clock.limit=60&clock.increment=0&keepAliveStream=true&rated=false&color=random&variant="
          "fromPosition"
          "&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F4P3%2F4K3%20w%20-%20-%200%201",
          FAMILY_CREATE },
        { "GET", "/api/team/engine-arenas_2/arena?max=100", "", FAMILY_OTHER },
    };
    Api *api = open_api(server.origin);
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        Heard heard;
        heard_init(&heard);
        assert_non_null(call_number(i, api, &heard));
        run_until_answered(&heard);
        assert_int_equal(heard.outcome, API_OK);
        assert_int_equal(heard.family, rows[i].family);
        struct json_object *said = json_tokener_parse(buf_view(&heard.text)), *value, *headers;
        assert_non_null(said);
        assert_true(json_object_object_get_ex(said, "method", &value));
        assert_string_equal(json_object_get_string(value), rows[i].method);
        assert_true(json_object_object_get_ex(said, "path", &value));
        assert_string_equal(json_object_get_string(value), rows[i].path);
        assert_true(json_object_object_get_ex(said, "body", &value));
        assert_string_equal(json_object_get_string(value), rows[i].body);
        assert_true(json_object_object_get_ex(said, "headers", &headers));
        assert_true(json_object_object_get_ex(headers, "authorization", &value));
        assert_string_equal(json_object_get_string(value), "Bearer lip_secret");
        json_object_put(said);
        heard_release(&heard);
    }
    api_free(api);
}

TEST(nothing_malformed_is_sent)
{
    static const char *const ids[] = { "",    "../account", "abc/def",          "a?b",
                                       "a b", "a%2fb",      "0123456789abcdef", "\xc3\xa4" };
    static const char *const moves[] = { "", "e2", "e2e4qq", "e2/4", "e2e?", "e2 e4" };
    Api *api = open_api(server.origin);
    Heard heard;
    heard_init(&heard);
    ApiStreamCallbacks callbacks = {
        .on_open = on_open, .on_event = on_event, .on_end = on_answer, .user = &heard
    };
    ApiMove good = { .uci = "e2e4" };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        Error err = { 0 };
        assert_null(api_move(api, ids[i], &good, on_answer, &heard, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_null(api_call(api, ENDPOINT_ACCEPT, ids[i], on_answer, &heard, NULL));
        if (i + 2 != sizeof ids / sizeof *ids) /* which may be a user's name */
            assert_null(api_call(api, ENDPOINT_USER, ids[i], on_answer, &heard, NULL));
        assert_null(api_decline(api, ids[i], DECLINE_LATER, on_answer, &heard, NULL));
        assert_null(api_stream(api, ENDPOINT_GAME, ids[i], &callbacks, NULL));
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        ApiMove move = { .uci = moves[i] };
        assert_null(api_move(api, "k7Pq2ZxL", &move, on_answer, &heard, NULL));
    }
    assert_int_equal(http_active(http), 0);
    heard_release(&heard);
    api_free(api);
}

/* The local server has its own paths. An Api whose base ends in one of them reaches it: what the
 * Api adds becomes part of the query. */
static Api *open_api_at(const char *path)
{
    char base[200];
    assert_true(snprintf(base, sizeof base, "%s%s", server.origin, path) > 0);
    return open_api(base);
}

TEST(refusals_are_told_apart)
{
    static const struct {
        const char *path;
        ApiOutcome outcome;
        int status;
        int64_t wait_s;
        const char *reason;
    } rows[] = {
        { "/status?code=400&x=", API_REFUSED, 400, 0, "as you like" },
        { "/status?code=404&x=", API_REFUSED, 404, 0, "as you like" },
        { "/status?code=401&x=", API_UNAUTHORIZED, 401, 0, "as you like" },
        { "/status?code=403&x=", API_FORBIDDEN, 403, 0, "as you like" },
        { "/status?code=429&retry=9&x=", API_LIMITED, 429, 9, "as you like" },
        { "/html?code=429&x=", API_LIMITED, 429, 0, "no JSON but \"Too many\"" },
        { "/html?code=403&x=", API_SERVER_ERROR, 403, 0, "no JSON but \"Too many\"" },
        { "/html?code=502&x=", API_SERVER_ERROR, 502, 0, "no JSON but \"Too many\"" },
        { "/html?code=404&x=", API_SERVER_ERROR, 404, 0, "no JSON but \"Too many\"" },
        { "/html?code=408&x=", API_SERVER_ERROR, 408, 0, "no JSON but \"Too many\"" },
        { "/redirect?x=", API_SERVER_ERROR, 302, 0, "no reason given" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Api *api = open_api_at(rows[i].path);
        Heard heard;
        heard_init(&heard);
        assert_non_null(api_call(api, ENDPOINT_ABORT, "k7Pq2ZxL", on_answer, &heard, NULL));
        run_until_answered(&heard);
        assert_int_equal(heard.outcome, rows[i].outcome);
        assert_int_equal(heard.status, rows[i].status);
        assert_int_equal(heard.wait_s, rows[i].wait_s);
        assert_string_equal(heard.reason, rows[i].reason);
        heard_release(&heard);
        api_free(api);
    }
}

/* A page of 404 by a proxy would else end a game that runs. */
TEST(a_page_in_place_of_a_stream_is_no_refusal)
{
    static const struct {
        const char *path;
        ApiOutcome outcome;
    } rows[] = {
        { "/status?code=404&x=", API_REFUSED },
        { "/html?code=404&x=", API_SERVER_ERROR },
        { "/html?code=403&x=", API_SERVER_ERROR },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Api *api = open_api_at(rows[i].path);
        Heard heard;
        heard_init(&heard);
        const ApiStreamCallbacks callbacks = { .on_event = on_event,
                                               .on_end = on_answer,
                                               .user = &heard };
        assert_non_null(api_stream(api, ENDPOINT_GAME, "k7Pq2ZxL", &callbacks, NULL));
        run_until_answered(&heard);
        assert_int_equal(heard.outcome, rows[i].outcome);
        heard_release(&heard);
        api_free(api);
    }
}

TEST(only_a_wrong_token_or_a_missing_scope_denies_us)
{
    static const struct {
        ApiOutcome outcome;
        const char *reason;
        bool is_denial;
    } rows[] = {
        { API_UNAUTHORIZED, "No such token", true },
        { API_FORBIDDEN, "Missing scope: bot:play", true },
        { API_FORBIDDEN, "Banned from playing for 5 minutes. Reason: …", false },
        { API_FORBIDDEN, "The access to this resource is restricted.", false },
        { API_SERVER_ERROR, "no JSON but \"403 Forbidden\"", false },
        { API_REFUSED, "Missing scope", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(api_answer_is_denial(
                             &(ApiAnswer){ .outcome = rows[i].outcome, .reason = rows[i].reason }),
                         rows[i].is_denial);
}

TEST(a_lost_answer_is_no_refusal)
{
    Api *api = open_api_at("/hang?x=");
    Heard heard;
    heard_init(&heard);
    ApiMove move = { .uci = "e2e4", .timeout_ms = 200 };
    assert_non_null(api_move(api, "k7Pq2ZxL", &move, on_answer, &heard, NULL));
    run_until_answered(&heard);
    assert_int_equal(heard.outcome, API_LOST);
    assert_int_equal(heard.status, 0);
    assert_string_not_equal(heard.reason, "");
    heard_release(&heard);
    api_free(api);
}

static ApiCall *open_stream(Api *api, Heard *heard)
{
    ApiStreamCallbacks callbacks = { .on_open = on_open,
                                     .on_event = on_event,
                                     .on_keepalive = on_keepalive,
                                     .on_skipped = on_skipped,
                                     .on_end = on_answer,
                                     .user = heard };
    heard->call = api_stream(api, ENDPOINT_EVENTS, NULL, &callbacks, NULL);
    assert_non_null(heard->call);
    return heard->call;
}

TEST(a_stream_gives_its_events_in_order)
{
    static const struct {
        const char *path, *text;
        int keepalives;
        ApiOutcome outcome;
    } rows[] = {
        { "/stream/bytes?x=", "one|two|three|", 1, API_OK },
        { "/stream/long?x=", "one|!2097163|two|!7|", 0, API_OK },
        { "/stream/reset?x=", "one|", 0, API_LOST },
        { "/stream/keepalive?beats=3&ms=1&x=", "", 3, API_OK },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Api *api = open_api_at(rows[i].path);
        Heard heard;
        heard_init(&heard);
        open_stream(api, &heard);
        run_until_answered(&heard);
        assert_string_equal(buf_view(&heard.text), rows[i].text);
        assert_int_equal(heard.keepalives, rows[i].keepalives);
        assert_int_equal(heard.opens, 1);
        assert_int_equal(heard.outcome, rows[i].outcome);
        assert_int_equal(heard.family, FAMILY_EVENT_STREAM);
        heard_release(&heard);
        api_free(api);
    }
}

TEST(a_refused_stream_never_opens)
{
    Api *api = open_api_at("/status?code=429&retry=60&x=");
    Heard heard;
    heard_init(&heard);
    open_stream(api, &heard);
    run_until_answered(&heard);
    assert_int_equal(heard.opens, 0);
    assert_int_equal(heard.outcome, API_LIMITED);
    assert_int_equal(heard.wait_s, 60);
    heard_release(&heard);
    api_free(api);
}

TEST(a_stream_may_be_cancelled_by_its_own_event)
{
    Api *api = open_api_at("/stream/burst?lines=1000&x=");
    Heard heard;
    heard_init(&heard);
    heard.cancel_after = 3;
    open_stream(api, &heard);
    int64_t end = clock_now_ms() + 5000;
    while (heard.events < 3 && clock_now_ms() < end)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(heard.events, 3);
    assert_int_equal(heard.answers, 0);
    assert_int_equal(http_active(http), 0);
    heard_release(&heard);
    api_free(api);
}

TEST(freeing_the_api_cancels_its_calls)
{
    Api *api = open_api(server.origin);
    Heard heard;
    heard_init(&heard);
    for (int i = 0; i < 12; i++)
        assert_non_null(call_number(i, api, &heard));
    open_stream(api, &heard);
    assert_int_equal(http_active(http), 13);
    api_free(api);
    assert_int_equal(http_active(http), 0);
    for (int i = 0; i < 10; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(heard.answers, 0);
    heard_release(&heard);
    api_free(NULL);
}

static int start_server(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    if (!local_server_start(&server, NULL) || uv_loop_init(&loop) != 0)
        return -1;
    HttpOptions options = { server.origin, server.ca_file, "lip_secret", NULL };
    return http_new(&http, &loop, &options, NULL) ? 0 : -1;
}

static int stop_server(void **state)
{
    (void)state;
    http_close(http, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    local_server_stop(&server);
    return uv_loop_close(&loop);
}

TESTS_IN(start_server, stop_server)
