/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/alert_sender.h"
#include "bot/admin/alerts.h"
#include "bot/ops/jsonread.h"
#include "bot/child/child_launch.h"
#include "engine/base/clock.h"
#include "tests/support/local_server.h"

#include <signal.h>

enum { PATIENCE_MS = 20000, RETRY_MS = 50 };

static LocalServer server;

/* A sender, and what it said. */
typedef struct {
    uv_loop_t loop;
    AlertSender *sender;
    int done, failed, again;
    char why[600];
    char folder[64], path[128];
} Room;

static void on_done(void *user, const char *way, const char *why, bool is_tried_again)
{
    Room *room = user;
    assert_true(strcmp(way, "command") == 0 || strcmp(way, "url") == 0);
    room->done++;
    room->failed += why != NULL;
    room->again += is_tried_again;
    int len = snprintf(room->why, sizeof room->why, "%s", why ? why : "");
    assert_true(len >= 0);
}

static int make_room(void **state, int64_t command_ms)
{
    Room *room = calloc(1, sizeof *room);
    Error err = { 0 };
    const AlertSenderOptions options = { .command_ms = command_ms,
                                         .retry_ms = RETRY_MS,
                                         .ca_file = server.ca_file,
                                         .token_file = "/nowhere/token",
                                         .on_done = on_done,
                                         .user = room };
    memcpy(room->folder, "/tmp/castled-alert-XXXXXX", 26);
    assert_non_null(mkdtemp(room->folder));
    assert_true(snprintf(room->path, sizeof room->path, "%s/out", room->folder) > 0);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    if (!alert_sender_new(&room->sender, &room->loop, &options, &err))
        fail_msg("%s", err.text);
    *state = room;
    return 0;
}

static int set_up(void **state)
{
    return make_room(state, PATIENCE_MS);
}

static int set_up_in_a_hurry(void **state)
{
    return make_room(state, 200);
}

static int tear_down(void **state)
{
    Room *room = *state;
    alert_sender_close(room->sender);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    (void)unlink(room->path);
    (void)rmdir(room->folder);
    free(room);
    return 0;
}

static void run_until(Room *room, int done)
{
    int64_t end = clock_now_ms() + PATIENCE_MS;
    while (room->done < done && clock_now_ms() < end) {
        uv_run(&room->loop, UV_RUN_NOWAIT);
        usleep(500);
    }
    assert_int_equal(room->done, done);
}

/* By a shell: `words` with the place to write to for %s. */
static void run_shell(Room *room, const char *words)
{
    char script[300], command[400];
    Error err = { 0 };
    int n = snprintf(script, sizeof script, "%s > %s", words, room->path);
    int m = snprintf(command, sizeof command, "sh -c \"%s\"", script);
    assert_true(n > 0 && m > 0 && (size_t)m < sizeof command);
    if (!alert_sender_run(room->sender, command, "{\"event\":\"trial\"}", &err))
        fail_msg("%s", err.text);
}

static void expect_written(const Room *room, const char *expected)
{
    char text[4000];
    FILE *file = fopen(room->path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

#define PLACED(test) TEST_IN(test, set_up, tear_down)

PLACED(a_command_reads_the_alert_to_its_end)
{
    Room *room = *state;
    run_shell(room, "cat");
    assert_int_equal(alert_sender_busy(room->sender), 1);
    run_until(room, 1);
    assert_int_equal(room->failed, 0);
    assert_int_equal(alert_sender_busy(room->sender), 0);
    expect_written(room, "{\"event\":\"trial\"}\n");
}

PLACED(a_command_has_no_secrets_in_its_environment)
{
    Room *room = *state;
    setenv("CASTLED_TOKEN", "lip_secret", 1);
    setenv("CREDENTIALS_DIRECTORY", "/run/credentials", 1);
    run_shell(room, "env | grep -c -e lip_secret -e CREDENTIALS");
    run_until(room, 1);
    expect_written(room, "0\n");
    unsetenv("CASTLED_TOKEN");
    unsetenv("CREDENTIALS_DIRECTORY");
}

PLACED(no_shell_reads_the_command)
{
    Room *room = *state;
    Error err = { 0 };
    assert_true(
        alert_sender_run(room->sender, "true ; touch /tmp/castled-alert-shell", "{}", &err));
    run_until(room, 1);
    assert_int_equal(room->failed, 0);
    assert_int_not_equal(access("/tmp/castled-alert-shell", F_OK), 0);
}

PLACED(a_failure_says_what_the_command_said)
{
    Room *room = *state;
    run_shell(room, "echo no such mailbox >&2; exit 3");
    run_until(room, 1);
    assert_string_equal(room->why, "exit status 3: no such mailbox");
    assert_int_equal(room->again, 0);
}

TEST_IN(one_that_takes_too_long_is_ended, set_up_in_a_hurry, tear_down)
{
    Room *room = *state;
    run_shell(room, "sleep 1000");
    run_until(room, 1);
    assert_string_equal(room->why, "it took too long, and was ended");
}

PLACED(what_cannot_be_started_is_an_error)
{
    Room *room = *state;
    Error err = { 0 };
    assert_false(alert_sender_run(room->sender, "no-such-program-here", "{}", &err));
    assert_non_null(strstr(err.text, "no-such-program-here"));
    for (int i = 0; i < ALERT_COMMANDS_MAX; i++)
        run_shell(room, "sleep 1000");
    err = (Error){ 0 };
    assert_false(alert_sender_run(room->sender, "true", "{}", &err));
    assert_non_null(strstr(err.text, "still run"));
    assert_int_equal(room->done, 0); /* closing ends them */
}

static void post(Room *room, const char *path)
{
    char url[200];
    Error err = { 0 };
    assert_true(snprintf(url, sizeof url, "%s%s", server.origin, path) > 0);
    if (!alert_sender_post(room->sender, url, "{\"event\":\"trial\"}", &err))
        fail_msg("%s", err.text);
}

PLACED(a_refused_post_is_given_up)
{
    Room *room = *state;
    post(room, "/status?code=404");
    run_until(room, 1);
    assert_string_equal(room->why, "it answers 404");
    assert_int_equal(room->again, 0);
    assert_int_equal(alert_sender_busy(room->sender), 0);
}

PLACED(a_post_is_repeated_until_the_server_takes_it)
{
    Room *room = *state;
    post(room, "/status?code=503");
    run_until(room, 3);
    assert_int_equal(room->again, 3);
    assert_int_equal(alert_sender_busy(room->sender), 1);
}

PLACED(alerts_are_posted_in_order_as_json)
{
    Room *room = *state;
    post(room, "/alert");
    post(room, "/alert");
    run_until(room, 2);
    assert_int_equal(room->failed, 0); /* the path answers 400 to anything else */
}

PLACED(no_more_wait_than_are_allowed)
{
    Room *room = *state;
    Error err = { 0 };
    for (int i = 0; i < ALERT_POSTS_MAX; i++)
        post(room, "/status?code=503");
    assert_false(alert_sender_post(room->sender, server.origin, "{}", &err));
    assert_non_null(strstr(err.text, "wait"));
}

TEST(an_alert_is_json_with_a_sentence)
{
    char *json = alert_json("game", "castled-bot", "lost \"x\"\n", 3, 1790000000);
    assert_non_null(json);
    assert_null(strchr(json, '\n'));
    struct json_object *alert = jsonread_parse(json, strlen(json), NULL);
    Text text = jsonread_text(alert, "text");
    assert_true(text_is(jsonread_text(alert, "event"), "game"));
    assert_true(text_starts_with(text, "castled-bot on "));
    assert_non_null(strstr(json, " (3 times)"));
    assert_int_equal(jsonread_int(alert, "count", 0, 9, 0), 3);
    assert_true(jsonread_text(alert, "content").len == text.len);
    json_object_put(alert);
    free(json);
}

int main(int argc, char **argv)
{
    if (child_launch_is_asked(argc, argv))
        return child_launch(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    if (!local_server_start(&server, NULL))
        return 1;
    int failures = run_all_tests();
    local_server_stop(&server);
    return failures;
}
