/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell in a world of its own: the server, the archive, the clock and the timer are those of
 * this file, which the linker takes before the library's. Holds I5 and I6 of bot/README.md. */
#include "bot/account/event_stream.h"
#include "bot/config/config.h"
#include "bot/account/remote_lists.h"
#include "bot/archive/archive.h"
#include "bot/ops/timer.h"
#include "bot/pairing/pairing_shell.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

enum { CALLS_MAX = 16, UNIX_MS = 1704067200 };

struct ApiCall {
    char what[80]; /* "challenge alba", "tournament arena111" */
    ApiOnAnswer *on_answer;
    void (*on_line)(void *user, Text line);
    void *user;
    bool is_over;
};

static struct {
    int64_t now_ms;
    ApiCall calls[CALLS_MAX];
    int call_count;
    bool refuses; /* no request can begin */
    uv_timer_cb on_time;
    int64_t timer_ms; /* INT64_MAX: not set */
    int timer_sets;
    uv_timer_t *timer;
    Facts facts;
    int denials, looks;
    int ends;       /* answers to the operator … */
    char said[200]; /* … and the latest */
    uv_loop_t loop;
    Config config;
    Slots slots;
    Ratelimit limit;
    RecentGames recent_games;
    PairingShell *shell;
} world;

/* The clock and the timer. */

int64_t clock_now_ms(void)
{
    return world.now_ms;
}

int64_t clock_now_us(void)
{
    return world.now_ms * 1000;
}

int64_t clock_unix_ms(void)
{
    return world.now_ms + (int64_t)UNIX_MS * 1000;
}

void timer_init(uv_loop_t *loop, uv_timer_t *timer, void *owner)
{
    assert_int_equal(uv_timer_init(loop, timer), 0);
    timer->data = owner;
    world.timer = timer;
    world.timer_ms = INT64_MAX;
}

void timer_set(uv_timer_t *timer, uv_timer_cb on_time, int64_t at_ms)
{
    assert_ptr_equal(timer, world.timer);
    world.on_time = on_time;
    world.timer_ms = at_ms;
    world.timer_sets++;
}

/* As the loop does: at its time, or at once where that is past. */
static void let_timer_go_off(void)
{
    assert_true(world.timer_ms != INT64_MAX);
    if (world.timer_ms > world.now_ms)
        world.now_ms = world.timer_ms;
    world.timer_ms = INT64_MAX;
    world.on_time(world.timer);
}

/* The server. */

static ApiCall *begin(const char *verb, const char *id, ApiOnAnswer *on_answer,
                      void (*on_line)(void *user, Text line), void *user, Error *err)
{
    if (world.refuses) {
        error_set(err, ERR_REFUSED, "no memory");
        return NULL;
    }
    assert_true(world.call_count < CALLS_MAX);
    ApiCall *call = &world.calls[world.call_count++];
    *call = (ApiCall){ .on_answer = on_answer, .on_line = on_line, .user = user };
    assert_true(snprintf(call->what, sizeof call->what, "%s %s", verb, id ? id : "-") > 0);
    return call;
}

ApiCall *api_call(Api *api, ApiEndpoint endpoint, const char *id, ApiOnAnswer *on_answer,
                  void *user, Error *err)
{
    static const char *const names[] = {
        [ENDPOINT_ACCEPT] = "accept",         [ENDPOINT_CANCEL] = "cancel",
        [ENDPOINT_CHALLENGES] = "challenges", [ENDPOINT_ONLINE_BOTS] = "online-bots",
        [ENDPOINT_ACCOUNT] = "account",       [ENDPOINT_USER] = "user",
        [ENDPOINT_ARENA] = "tournament",      [ENDPOINT_WITHDRAW] = "withdraw",
    };
    (void)api;
    assert_non_null(names[endpoint]);
    return begin(names[endpoint], id, on_answer, NULL, user, err);
}

ApiCall *api_stream(Api *api, ApiEndpoint endpoint, const char *id,
                    const ApiStreamCallbacks *callbacks, Error *err)
{
    (void)api;
    assert_int_equal(endpoint, ENDPOINT_TEAM_ARENAS);
    return begin("team", id, callbacks->on_end, callbacks->on_line, callbacks->user, err);
}

ApiCall *api_challenge(Api *api, const ApiChallenge *challenge, const ApiStreamCallbacks *callbacks,
                       Error *err)
{
    (void)api;
    assert_int_equal(challenge->base_s, 180);
    assert_int_equal(challenge->increment_s, 2);
    return begin("challenge", challenge->opponent, callbacks->on_end, callbacks->on_line,
                 callbacks->user, err);
}

ApiCall *api_decline(Api *api, const char *id, DeclineReason reason, ApiOnAnswer *on_answer,
                     void *user, Error *err)
{
    (void)api;
    assert_int_equal(reason, DECLINE_LATER);
    return begin("decline", id, on_answer, NULL, user, err);
}

ApiCall *api_join_arena(Api *api, const char *id, const char *password, const char *team,
                        ApiOnAnswer *on_answer, void *user, Error *err)
{
    (void)api;
    assert_string_equal(password, "sesame");
    assert_string_equal(team, "bots");
    return begin("join", id, on_answer, NULL, user, err);
}

ApiCall *api_users_status(Api *api, const char (*ids)[USER_ID_SIZE], int count,
                          ApiOnAnswer *on_answer, void *user, Error *err)
{
    (void)api;
    assert_true(count > 0);
    return begin("status", ids[0], on_answer, NULL, user, err);
}

void api_cancel(ApiCall *call)
{
    assert_false(call->is_over); /* no handle is left after its end */
    call->is_over = true;
}

/* The latest call, which must be this one and under way. */
static ApiCall *called(const char *what)
{
    assert_true(world.call_count > 0);
    ApiCall *call = &world.calls[world.call_count - 1];
    assert_string_equal(call->what, what);
    assert_false(call->is_over);
    return call;
}

static void answer(const char *what, ApiAnswer with)
{
    ApiCall *call = called(what);
    if (!with.reason)
        with.reason = "";
    call->is_over = true;
    call->on_answer(call->user, &with);
}

static void answer_body(const char *what, const char *body)
{
    answer(what, (ApiAnswer){ .outcome = API_OK, .body = text_of(body) });
}

/* The archive, the event stream and the lists on the web. */

const Facts *archive_facts(const Archive *archive)
{
    (void)archive;
    return &world.facts;
}

void archive_remember(Archive *archive, FactKind kind, Text id, const char *value,
                      int64_t expires_unix_ms)
{
    char key[FACT_KEY_SIZE];
    (void)archive;
    assert_true(fact_key_write(key, kind, id));
    assert_true(facts_put(&world.facts, key, value, expires_unix_ms, NULL));
}

int64_t event_stream_open_since_ms(const EventStream *stream)
{
    (void)stream;
    return 0;
}

bool remote_lists_has(const RemoteLists *lists, ListUse use, Text id)
{
    (void)lists;
    return use == LIST_BLOCK && text_is(id, "blocked");
}

bool remote_lists_any(const RemoteLists *lists, ListUse use)
{
    (void)lists;
    (void)use;
    return false;
}

/* The daemon. */

static void on_denied(void *user, const ApiAnswer *denial)
{
    assert_ptr_equal(user, &world);
    assert_int_equal(denial->status, 401);
    world.denials++;
}

static void on_missed_start(void *user)
{
    assert_ptr_equal(user, &world);
    world.looks++;
}

static BotContext context;

static int make_world(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    world.now_ms = 1000000;
    Buf problems;
    buf_init(&problems, 1000);
    assert_true(config_parse(&world.config, "test", "", 0, &problems));
    buf_release(&problems);
    slots_init(&world.slots, (SlotLimits){ .of_kind = { 1, 1 } });
    ratelimit_init(&world.limit);
    facts_init(&world.facts);
    recent_games_init(&world.recent_games);
    assert_int_equal(uv_loop_init(&world.loop), 0);
    context = (BotContext){ .loop = &world.loop,
                            .config = &world.config,
                            .limit = &world.limit,
                            .slots = &world.slots,
                            .recent_games = &world.recent_games,
                            .ends_ms = INT64_MAX,
                            .our_id = "castled-bot",
                            .on_denied = on_denied,
                            .on_missed_start = on_missed_start,
                            .user = &world };
    assert_true(pairing_shell_new(&world.shell, &context, NULL, 1, NULL));
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    pairing_shell_close(world.shell);
    assert_int_equal(uv_run(&world.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&world.loop), 0);
    for (int i = 0; i < world.call_count; i++)
        assert_true(world.calls[i].is_over);
    facts_release(&world.facts);
    config_release(&world.config);
    return 0;
}

#define SHELL_TEST(name) TEST_IN(name, make_world, drop_world)

static void on_end(void *user, const OutgoingResult *result)
{
    assert_ptr_equal(user, &world);
    world.ends++;
    assert_true(snprintf(world.said, sizeof world.said, "%d %s", (int)result->end, result->text) >
                0);
}

static void on_arena(void *user, bool is_done, const char *text)
{
    assert_ptr_equal(user, &world);
    world.ends++;
    assert_true(snprintf(world.said, sizeof world.said, "%s %s", is_done ? "done" : "no", text) >
                0);
}

static bool challenge_alba(Error *err)
{
    const ChallengeRequest alba = { .opponent = "alba", .base_s = 180, .increment_s = 2 };
    return pairing_shell_challenge(world.shell, &alba, on_end, &world, err);
}

SHELL_TEST(an_order_is_sent_and_its_end_is_told_once)
{
    assert_true(challenge_alba(NULL));
    assert_int_equal(world.ends, 0);
    answer("challenge alba",
           (ApiAnswer){ .outcome = API_REFUSED, .status = 400, .reason = "they said no" });
    assert_int_equal(world.ends, 1);
    assert_string_equal(world.said, "3 they said no");
    assert_true(challenge_alba(NULL)); /* there is room again */
}

SHELL_TEST(an_order_that_is_refused_is_answered_by_the_call_alone)
{
    Error err = { 0 };
    context.is_draining = true;
    assert_false(challenge_alba(&err));
    assert_string_equal(err.text, "castled is draining: no more games");
    assert_int_equal(world.ends, 0);
    assert_int_equal(world.call_count, 0);
}

SHELL_TEST(a_request_that_cannot_begin_is_answered_by_the_timer)
{
    world.refuses = true;
    assert_true(challenge_alba(NULL));
    assert_int_equal(world.ends, 0); /* I5 */
    assert_int_equal(world.timer_ms, world.now_ms);
    let_timer_go_off();
    assert_int_equal(world.ends, 1);
    assert_string_equal(world.said, "5 no memory");
    assert_int_not_equal(world.timer_ms, world.now_ms);
}

static const char made[] =
    "{\"id\":\"ours1111\",\"challenger\":{\"id\":\"castled-bot\"},\"destUser\":{\"id\":\"alba\"},"
    "\"variant\":{\"key\":\"standard\"},\"timeControl\":{\"type\":\"clock\",\"limit\":180,"
    "\"increment\":2}}";

/* As long as the matchmaker looks each second, the timer goes off that often at least. */
SHELL_TEST(the_timer_is_set_anew_after_each_step)
{
    int sets = world.timer_sets;
    int64_t asked_ms = world.now_ms;
    assert_true(challenge_alba(NULL));
    assert_int_equal(world.timer_sets, sets + 1);
    ApiCall *call = called("challenge alba");
    call->on_line(call->user, text_of(made));
    assert_int_equal(world.timer_sets, sets + 2);
    while (world.call_count == 1) {
        assert_in_range(world.timer_ms - world.now_ms, 0, 20000);
        let_timer_go_off();
    }
    assert_int_equal(world.now_ms, asked_ms + 20000);
    assert_int_equal(world.ends, 0);
    answer("cancel ours1111", (ApiAnswer){ .outcome = API_OK });
    assert_int_equal(world.ends, 1);
    assert_true(call->is_over); /* its stream was ended by us */
    assert_true(world.timer_ms > world.now_ms);
}

SHELL_TEST(what_is_to_be_remembered_is)
{
    const ChallengeRequest alba = { .opponent = "alba", .base_s = 180, .increment_s = 2 };
    int number = pairing_shell_schedule(world.shell, &alba, UNIX_MS + 10000, 2, NULL);
    assert_int_equal(number, 1);
    assert_non_null(facts_get(&world.facts, "scheduled/1", clock_unix_ms()));
    assert_true(pairing_shell_unschedule(world.shell, number));
    assert_false(pairing_shell_unschedule(world.shell, number));
    assert_null(facts_get(&world.facts, "scheduled/1", clock_unix_ms()));
}

SHELL_TEST(a_refused_token_is_reported_with_its_answer)
{
    assert_true(challenge_alba(NULL));
    answer("challenge alba", (ApiAnswer){ .outcome = API_UNAUTHORIZED, .status = 401 });
    assert_int_equal(world.denials, 1);
    assert_int_equal(world.ends, 1);
}

SHELL_TEST(a_game_that_no_event_tells_of_is_looked_for)
{
    assert_true(challenge_alba(NULL));
    ApiCall *call = called("challenge alba");
    call->on_line(call->user, text_of(made));
    call->on_line(call->user, text_of("{\"done\":\"accepted\"}"));
    while (world.looks == 0 && world.now_ms < 1000000 + 60000)
        let_timer_go_off();
    assert_int_equal(world.looks, 1);
}

static const ArenaSpec cup = { .id = "arena111", .password = "sesame", .team = "bots" };

SHELL_TEST(a_tournament_is_joined_by_later_turns_of_the_loop)
{
    pairing_shell_take(world.shell, &(PairInput){ .kind = PAIR_ON_SETTINGS });
    assert_true(pairing_shell_join(world.shell, &cup, on_arena, &world, NULL));
    assert_int_equal(world.call_count, 0); /* I5 */
    assert_int_equal(world.timer_ms, world.now_ms);
    let_timer_go_off();
    answer_body("tournament arena111",
                "{\"fullName\":\"Cup\",\"botsAllowed\":true,\"secondsToStart\":600}");
    assert_int_equal(world.ends, 0);
    answer("join arena111", (ApiAnswer){ .outcome = API_OK });
    assert_int_equal(world.ends, 1);
    assert_string_equal(world.said, "done Cup");
    answer("tournament arena111", (ApiAnswer){ .outcome = API_REFUSED, .status = 404 });
    assert_int_equal(world.ends, 1); /* nobody waits for that */
    assert_true(pairing_shell_leave(world.shell, &cup, on_arena, &world, NULL));
    let_timer_go_off();
    answer("withdraw arena111", (ApiAnswer){ .outcome = API_REFUSED, .reason = "no such one" });
    assert_string_equal(world.said, "no no such one");
}

SHELL_TEST(a_teams_list_is_a_stream)
{
    world.config.tournaments.teams.count = 1;
    assert_true(text_copy(world.config.tournaments.teams.at[0], TEAM_ID_SIZE, text_of("bots")));
    pairing_shell_take(world.shell, &(PairInput){ .kind = PAIR_ON_SETTINGS });
    let_timer_go_off();
    ApiCall *call = called("team bots");
    call->on_line(call->user,
                  text_of("{\"id\":\"arena111\",\"startsAt\":1704068500000,\"finishesAt\":"
                          "1704072000000,\"minutes\":58,\"rated\":true,\"variant\":{\"key\":"
                          "\"standard\"},\"clock\":{\"limit\":180,\"increment\":2}}"));
    answer("team bots", (ApiAnswer){ .outcome = API_OK });
    answer("tournament arena111", (ApiAnswer){ .outcome = API_REFUSED, .status = 404 });
}

/* One of which no event told. */
SHELL_TEST(challenges_in_the_servers_list_are_taken_one_by_one)
{
    pairing_shell_take(world.shell, &(PairInput){ .kind = PAIR_ON_STREAM_OPENED });
    while (world.call_count == 0 && world.now_ms < 1000000 + 60000)
        let_timer_go_off();
    answer_body(
        "challenges -",
        "{\"in\":[{\"id\":\"theirs11\",\"status\":\"created\",\"challenger\":{\"id\":\"bo\","
        "\"name\":\"Bo\",\"rating\":1500},\"destUser\":{\"id\":\"castled-bot\"},"
        "\"variant\":{\"key\":\"standard\"},\"rated\":false,\"speed\":\"blitz\","
        "\"timeControl\":{\"type\":\"clock\",\"limit\":180,\"increment\":2}}]}");
    answer("accept theirs11", (ApiAnswer){ .outcome = API_OK });
}

SHELL_TEST(what_is_under_way_at_the_end_is_cancelled)
{
    assert_true(challenge_alba(NULL));
    (void)called("challenge alba"); /* drop_world() looks that it is over */
}
