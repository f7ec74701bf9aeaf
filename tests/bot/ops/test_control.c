/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/control.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The socket. */

typedef struct {
    char folder[64], path[100];
    uv_loop_t loop;
    Log log;
    Control *control;
    ControlCall *kept; /* of "later" */
    int asked;
} Place;

static void handle(void *user, ControlCall *call, Text words)
{
    Place *place = user;
    place->asked++;
    if (text_is(words, "later")) {
        place->kept = call;
    } else if (text_is(words, "much")) {
        char *text = malloc(900001);
        memset(text, 'x', 900000);
        text[900000] = '\0';
        control_answer(call, text);
        free(text);
    } else if (text_is(words, "no")) {
        control_refuse(call, "not \"today\"");
    } else {
        control_answer(call, "{\"ok\":true}");
    }
}

static int open_place(void **state)
{
    Place *place = calloc(1, sizeof *place);
    Error err = { 0 };
    memcpy(place->folder, "/tmp/castled-control-XXXXXX", 28);
    if (!mkdtemp(place->folder) || uv_loop_init(&place->loop) != 0)
        return -1;
    int n = snprintf(place->path, sizeof place->path, "%s/castled.sock", place->folder);
    log_init(&place->log, STDERR_FILENO, LEVEL_ERROR, LOG_FORM_PLAIN);
    *state = place;
    if (n < 0 ||
        !control_new(&place->control, &place->loop, place->path, &place->log, handle, place, &err))
        fail_msg("%s", err.text);
    return 0;
}

static int close_place(void **state)
{
    Place *place = *state;
    control_close(place->control);
    uv_run(&place->loop, UV_RUN_DEFAULT);
    bool is_gone = access(place->path, F_OK) != 0;
    (void)!unlink(place->path);
    (void)!rmdir(place->folder);
    int failure = uv_loop_close(&place->loop);
    free(place);
    return is_gone ? failure : -1;
}

static int connect_raw(const Place *place)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    memcpy(address.sun_path, place->path, strlen(place->path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void run_for_ms(Place *place, int64_t ms)
{
    int64_t end = clock_now_ms() + ms;
    while (clock_now_ms() < end) {
        uv_run(&place->loop, UV_RUN_NOWAIT);
        usleep(500);
    }
}

/* A client in a thread of its own, as control_ask() blocks. */
typedef struct {
    const Place *place;
    const char *line;
    char *answer;
    Error err;
    bool is_done;
} Client;

static void *ask(void *user)
{
    Client *client = user;
    if (!control_ask(client->place->path, client->line, 8000, &client->answer, &client->err))
        client->answer = NULL;
    __atomic_store_n(&client->is_done, true, __ATOMIC_RELEASE);
    return NULL;
}

static void run_client(Place *place, Client *client, pthread_t *thread)
{
    client->place = place;
    assert_int_equal(pthread_create(thread, NULL, ask, client), 0);
}

static void finish_client(Place *place, Client *client, pthread_t thread)
{
    int64_t end = clock_now_ms() + 10000;
    while (!__atomic_load_n(&client->is_done, __ATOMIC_ACQUIRE) && clock_now_ms() < end)
        run_for_ms(place, 1);
    pthread_join(thread, NULL);
}

static void expect_answer(Place *place, const char *line, const char *expected)
{
    Client client = { .line = line };
    pthread_t thread;
    run_client(place, &client, &thread);
    finish_client(place, &client, thread);
    if (!client.answer)
        fail_msg("%s", client.err.text);
    assert_string_equal(client.answer, expected);
    free(client.answer);
}

#define PLACED(test) TEST_IN(test, open_place, close_place)

PLACED(a_request_gets_its_answer)
{
    expect_answer(*state, "status", "{\"ok\":true}");
    expect_answer(*state, "no", "{\"error\":\"not \\\"today\\\"\"}");
    expect_answer(*state, "  status\r", "{\"ok\":true}");
    expect_answer(*state, "gr\xc3\xbc\xc3\x9f", "{\"ok\":true}");
}

PLACED(what_is_no_line_of_words_is_refused)
{
    char longest[CONTROL_LINE_MAX], line[CONTROL_LINE_MAX + 1];
    memset(longest, 'x', sizeof longest);
    memset(line, 'x', sizeof line);
    longest[sizeof longest - 1] = line[sizeof line - 1] = '\0';
    expect_answer(*state, longest, "{\"ok\":true}");
    expect_answer(*state, line, "{\"error\":\"a request that is too long\"}");
    expect_answer(*state, "", "{\"error\":\"an empty request\"}");
    expect_answer(*state, "   ", "{\"error\":\"an empty request\"}");
    static const char *const lines[] = { "sta\ttus", "st\xc3tus", "\x1b[31m", "a\x7f",
                                         "st\xe2\x80\xaetus" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect_answer(*state, lines[i], "{\"error\":\"a request that is not printable text\"}");
}

PLACED(a_long_answer_comes_whole)
{
    Client client = { .line = "much" };
    pthread_t thread;
    run_client(*state, &client, &thread);
    finish_client(*state, &client, thread);
    assert_non_null(client.answer);
    assert_int_equal(strlen(client.answer), 900000);
    free(client.answer);
}

PLACED(an_answer_may_come_later)
{
    Place *place = *state;
    Client client = { .line = "later" };
    pthread_t thread;
    run_client(place, &client, &thread);
    run_for_ms(place, 100);
    assert_non_null(place->kept);
    assert_false(client.is_done);
    control_answer(place->kept, "{}");
    finish_client(place, &client, thread);
    assert_string_equal(client.answer, "{}");
    free(client.answer);
}

PLACED(who_hangs_up_before_the_answer_harms_nobody)
{
    Place *place = *state;
    int fd = connect_raw(place);
    assert_int_equal(write(fd, "later\n", 6), 6);
    run_for_ms(place, 50);
    assert_non_null(place->kept);
    close(fd);
    run_for_ms(place, 50);
    control_answer(place->kept, "{}");
    expect_answer(place, "status", "{\"ok\":true}");
}

static void end_now(uv_handle_t *handle, void *user)
{
    (void)user;
    if (handle->type != UV_TIMER || !uv_is_active(handle))
        return;
    uv_timer_set_repeat((uv_timer_t *)handle, 1);
    uv_timer_again((uv_timer_t *)handle);
}

/* The handler still holds the call: the leak check of a sanitizer looks at what becomes of it. */
PLACED(a_call_that_was_never_answered_goes_with_the_server)
{
    Place *place = *state;
    int fd = connect_raw(place);
    char byte;
    assert_int_equal(write(fd, "later\n", 6), 6);
    run_for_ms(place, 50);
    assert_non_null(place->kept);
    uv_walk(&place->loop, end_now, NULL); /* the time for an answer is over */
    run_for_ms(place, 50);
    assert_int_equal(read(fd, &byte, 1), 0);
    close(fd);
}

PLACED(calls_unanswered_at_the_end_are_let_go)
{
    Place *place = *state;
    int fd = connect_raw(place);
    assert_int_equal(write(fd, "later\n", 6), 6);
    run_for_ms(place, 50);
    assert_non_null(place->kept); /* the teardown closes it all */
    close(fd);
}

PLACED(a_line_may_come_in_pieces_and_only_the_first_counts)
{
    Place *place = *state;
    char answer[100];
    int fd = connect_raw(place);
    for (const char *c = "status\nno\n"; *c; c++) {
        (void)!send(fd, c, 1, MSG_NOSIGNAL);
        run_for_ms(place, 2);
    }
    run_for_ms(place, 20);
    assert_int_equal(recv(fd, answer, sizeof answer, 0), 12);
    assert_memory_equal(answer, "{\"ok\":true}\n", 12);
    assert_int_equal(place->asked, 1);
    close(fd);
}

PLACED(floods_are_refused)
{
    Place *place = *state;
    char flood[20000], answer[200];
    int fd = connect_raw(place);
    memset(flood, 'x', sizeof flood);
    (void)!send(fd, flood, sizeof flood, MSG_NOSIGNAL | MSG_DONTWAIT);
    run_for_ms(place, 50);
    ssize_t len = recv(fd, answer, sizeof answer - 1, MSG_DONTWAIT);
    assert_true(len <= 0 || strncmp(answer, "{\"error\":\"a request that is too", 30) == 0);
    assert_int_equal(place->asked, 0);
    close(fd);
    expect_answer(place, "status", "{\"ok\":true}");
}

PLACED(a_crowd_does_not_keep_the_door_shut)
{
    enum { CROWD = 40 };
    Place *place = *state;
    int fds[CROWD];
    for (int i = 0; i < CROWD; i++) {
        fds[i] = connect_raw(place);
        run_for_ms(place, 2);
    }
    int open = 0;
    for (int i = 0; i < CROWD; i++) {
        char c;
        open += recv(fds[i], &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
    }
    assert_int_equal(open, CONTROL_CLIENTS_MAX);
    for (int i = 0; i < CROWD; i++)
        close(fds[i]);
    run_for_ms(place, 50);
    expect_answer(place, "status", "{\"ok\":true}");
}

/* A client waits, and no descriptor is left to let it in. libuv would try again for ever, in one
 * turn of the loop. */
static void run_without_descriptors(Place *place, int64_t ms)
{
    enum { HUNG_S = 20 };
    struct rlimit usual, none;
    int fd = connect_raw(place);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = (struct rlimit){ .rlim_max = usual.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    alarm(HUNG_S);
    run_for_ms(place, ms);
    alarm(0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    close(fd);
}

PLACED(who_waits_while_there_is_no_descriptor_holds_nobody_up)
{
    Place *place = *state;
    run_without_descriptors(place, 1500); /* a try to listen again fails too */
    for (int i = 0; i < 40 && access(place->path, F_OK) != 0; i++)
        run_for_ms(place, 50);
    expect_answer(place, "status", "{\"ok\":true}");
}

PLACED(a_pause_may_be_the_end)
{
    run_without_descriptors(*state, 100); /* close_place() looks at what is left */
}

/* Each of as many as there may be keeps its answer from being sent; others wait for their places.
 */
PLACED(answers_that_nobody_reads_hold_nobody_up_for_long)
{
    Place *place = *state;
    int fds[CONTROL_CLIENTS_MAX];
    for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
        fds[i] = connect_raw(place);
        assert_int_equal(write(fds[i], "much\n", 5), 5);
        run_for_ms(place, 2);
    }
    int64_t end = clock_now_ms() + CONTROL_ASK_MS + 2000;
    char c;
    for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
        while (send(fds[i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 && clock_now_ms() < end)
            run_for_ms(place, 50);
        assert_true(clock_now_ms() < end); /* it was hung up on */
    }
    assert_int_equal(place->asked, CONTROL_CLIENTS_MAX);
    expect_answer(place, "status", "{\"ok\":true}");
    for (int i = 0; i < CONTROL_CLIENTS_MAX; i++) {
        assert_int_equal(recv(fds[i], &c, 1, 0), 1); /* what had fitted is there */
        close(fds[i]);
    }
}

PLACED(only_we_may_come_near)
{
    struct stat facts;
    Place *place = *state;
    assert_int_equal(stat(place->path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

/* Asks in a process below us; it has `generations` between, all of which wait, or else have ended:
 * then it is nobody's. The caller frees the answer. */
static char *ask_below(Place *place, int generations, bool is_orphan)
{
    char answer[200] = "", ready;
    int told[2], go[2];
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(go), 0);
    pid_t child = fork();
    for (int i = 0; child == 0 && i < generations; i++) {
        pid_t next = fork();
        if (next > 0) {
            if (!is_orphan)
                waitpid(next, NULL, 0);
            _exit(0);
        }
        setsid();
    }
    if (child == 0) {
        Error err = { 0 };
        char *got;
        if (read(go[0], &ready, 1) != 1 || !control_ask(place->path, "status", 8000, &got, &err))
            got = err.text;
        _exit(write(told[1], got, strlen(got) + 1) > 0 ? 0 : 1);
    }
    if (is_orphan)
        assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(write(go[1], "x", 1), 1);
    close(go[0]);
    close(go[1]);
    close(told[1]);
    assert_int_equal(fcntl(told[0], F_SETFL, O_NONBLOCK), 0);
    int64_t end = clock_now_ms() + 10000;
    while (read(told[0], answer, sizeof answer - 1) < 0 && clock_now_ms() < end)
        run_for_ms(place, 5);
    close(told[0]);
    if (!is_orphan)
        assert_int_equal(waitpid(child, NULL, 0), child);
    return strdup(answer);
}

PLACED(what_descends_from_us_has_no_say)
{
    Place *place = *state;
    for (int generations = 0; generations < 3; generations++) {
        char *answer = ask_below(place, generations, false);
        assert_string_equal(
            answer, "{\"error\":\"castled takes no orders from what it has started itself\"}");
        free(answer);
    }
    assert_int_equal(place->asked, 0);
    char *answer = ask_below(place, 1, true);
    assert_string_equal(answer, "{\"ok\":true}");
    free(answer);
}

/* As many as may be at once, who say nothing. */
PLACED(our_descendants_take_nobodys_place)
{
    Place *place = *state;
    int started[2];
    char byte;
    assert_int_equal(pipe(started), 0);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < CONTROL_CLIENTS_MAX; i++)
            connect_raw(place);
        (void)!write(started[1], "x", 1);
        alarm(20);
        pause();
    }
    assert_int_equal(read(started[0], &byte, 1), 1);
    run_for_ms(place, 100);
    expect_answer(place, "status", "{\"ok\":true}");
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(started[0]);
    close(started[1]);
}

PLACED(a_second_daemon_is_refused_a_dead_ones_socket_is_taken_over)
{
    Place *place = *state;
    Control *second = NULL;
    Error err = { 0 };
    assert_false(control_new(&second, &place->loop, place->path, &place->log, handle, place, &err));
    assert_non_null(strstr(err.text, "another castled listens there"));
    run_for_ms(place, 10);
    char other[120], aside[120];
    assert_true(snprintf(other, sizeof other, "%s/dead", place->folder) > 0);
    assert_true(snprintf(aside, sizeof aside, "%s/file", place->folder) > 0);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    memcpy(address.sun_path, other, strlen(other) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd); /* its socket stays */
    err = (Error){ .code = ERR_NONE };
    if (!control_new(&second, &place->loop, other, &place->log, handle, place, &err))
        fail_msg("%s", err.text);
    control_close(second);
    run_for_ms(place, 10);
    FILE *file = fopen(aside, "w");
    assert_int_equal(fclose(file), 0);
    assert_false(control_new(&second, &place->loop, aside, &place->log, handle, place, &err));
    assert_int_equal(access(aside, F_OK), 0);
    unlink(aside);
}

TEST(without_a_daemon_the_client_is_told)
{
    Error err = { 0 };
    char *answer;
    assert_false(control_ask("/tmp/castled-nobody/castled.sock", "status", 100, &answer, &err));
    assert_int_equal(err.code, ERR_IO);
    char path[300];
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[299] = '\0';
    err = (Error){ .code = ERR_NONE };
    assert_false(control_ask(path, "status", 100, &answer, &err));
    assert_int_equal(err.code, ERR_RANGE);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN); /* as the daemon does */
    return run_all_tests();
}
