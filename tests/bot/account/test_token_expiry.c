/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The token's watch in a world of its own: the server, the clock and the timer are those of this
 * file and own_time.h, which the linker takes before the library's. */
#include "bot/account/token_expiry.h"
#include "engine/base/duration.h"
#include "tests/support/own_time.h"

#include <fcntl.h>
#include <unistd.h>

#define NOW_UNIX_MS INT64_C(1704067200000)

static struct {
    ApiOnAnswer *on_answer; /* of the request that waits; NULL: none does */
    void *user;
    int log[2];
    Log events;
    BotContext context;
    TokenExpiry *watch;
} world;

ApiCall *api_call(Api *api, ApiEndpoint endpoint, const char *id, ApiOnAnswer *on_answer,
                  void *user, Error *err)
{
    (void)api;
    (void)id;
    (void)err;
    assert_int_equal(endpoint, ENDPOINT_TOKEN_TEST);
    assert_null(world.on_answer);
    world.on_answer = on_answer;
    world.user = user;
    return (ApiCall *)&world;
}

void api_cancel(ApiCall *call)
{
    assert_ptr_equal(call, &world);
    world.on_answer = NULL;
}

static int make_world(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    own_time_begin(0, NOW_UNIX_MS);
    assert_int_equal(pipe2(world.log, O_NONBLOCK), 0);
    log_init(&world.events, world.log[1], LEVEL_INFO, LOG_FORM_PLAIN);
    world.context = (BotContext){ .log = &world.events, .our_id = "castled-bot" };
    assert_true(token_expiry_new(&world.watch, &world.context, NULL));
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    token_expiry_close(world.watch);
    close(world.log[0]);
    close(world.log[1]);
    return 0;
}

#define WORLD_TEST(name) TEST_IN(name, make_world, drop_world)

/* The time comes at which it asks; how long that took. */
static int64_t wait_for_question(void)
{
    int64_t began = own_time.now_ms;
    assert_true(own_time.timer_ms != INT64_MAX && !world.on_answer);
    own_time.now_ms = own_time.timer_ms;
    own_time.timer_ms = INT64_MAX;
    own_time.on_time(own_time.timer);
    return own_time.now_ms - began;
}

/* A token that expires so many days and an hour after the beginning of the world. */
static void answer_days(int days)
{
    char body[200];
    int len = snprintf(body, sizeof body,
                       "{\"lip_x\":{\"scopes\":\"bot:play\",\"userId\":\"castled-bot\","
                       "\"expires\":%lld}}",
                       (long long)(NOW_UNIX_MS + days * DURATION_DAY_MS + DURATION_HOUR_MS));
    ApiAnswer answer = { .outcome = API_OK, .status = 200, .body = { body, (size_t)len } };
    ApiOnAnswer *on_answer = world.on_answer;
    assert_non_null(on_answer);
    world.on_answer = NULL;
    on_answer(world.user, &answer);
}

static void answer_broken(void)
{
    ApiAnswer answer = { .outcome = API_SERVER_ERROR, .status = 502, .reason = "502" };
    ApiOnAnswer *on_answer = world.on_answer;
    world.on_answer = NULL;
    on_answer(world.user, &answer);
}

/* The days of each warning since it was last asked for, "13 12 ", and nothing of other lines. */
static const char *warned(void)
{
    static char days[100];
    char lines[2000];
    ssize_t len = read(world.log[0], lines, sizeof lines - 1);
    lines[len > 0 ? len : 0] = '\0';
    days[0] = '\0';
    for (const char *at = lines; (at = strstr(at, "token-expires days=")); at++)
        snprintf(days + strlen(days), sizeof days - strlen(days), "%d ", atoi(at + 19));
    return days;
}

WORLD_TEST(the_warning_comes_each_day_of_the_last_two_weeks)
{
    (void)state;
    assert_in_range(wait_for_question(), 1, 60000);
    for (int day = 0; day < 5; day++) { /* 16, 15, 14, 13, 12 days are left, less some seconds */
        static const char *const expected[] = { "", "", "", "13 ", "12 " };
        answer_days(16);
        assert_string_equal(warned(), expected[day]);
        assert_true(own_time.timer_ms == own_time.now_ms + DURATION_DAY_MS);
        assert_true(wait_for_question() == DURATION_DAY_MS);
    }
}

WORLD_TEST(a_renewed_token_ends_the_warnings)
{
    (void)state;
    wait_for_question();
    answer_days(3);
    assert_string_equal(warned(), "3 ");
    wait_for_question();
    answer_days(365);
    assert_string_equal(warned(), "");
    assert_true(token_expiry_expires_s(world.watch) ==
                (NOW_UNIX_MS + 365 * DURATION_DAY_MS + DURATION_HOUR_MS) / 1000);
}

WORLD_TEST(a_question_without_an_answer_is_asked_again_in_an_hour)
{
    (void)state;
    wait_for_question();
    answer_broken();
    assert_string_equal(warned(), "");
    assert_true(wait_for_question() == DURATION_HOUR_MS);
    answer_days(2); /* less the hour, and the seconds before */
    assert_string_equal(warned(), "1 ");
}

WORLD_TEST(nothing_is_asked_before_the_account_is_known)
{
    (void)state;
    world.context.our_id[0] = '\0';
    for (int i = 0; i < 3; i++) {
        wait_for_question();
        assert_null(world.on_answer);
    }
    strcpy(world.context.our_id, "castled-bot");
    wait_for_question();
    assert_non_null(world.on_answer);
}

WORLD_TEST(a_watch_that_ends_hangs_up)
{
    (void)state;
    wait_for_question();
    token_expiry_close(world.watch);
    assert_null(world.on_answer);
    world.watch = NULL;
}
