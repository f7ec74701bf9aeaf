/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/notify.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The manager's end of a socket with this name ('@': abstract). */
static int listen_at(const char *name)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t len = strlen(name);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_true(fd >= 0);
    memcpy(address.sun_path, name, len);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    if (name[0] != '@')
        size = sizeof address;
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, size), 0);
    return fd;
}

static void heard(int fd, const char *expected)
{
    char text[200] = "";
    ssize_t n = recv(fd, text, sizeof text - 1, 0);
    assert_string_equal(n > 0 ? text : "", expected);
}

TEST(messages_reach_the_socket_that_is_named)
{
    char path[100], abstract[100];
    snprintf(path, sizeof path, "/tmp/castled-notify-%d", (int)getpid());
    snprintf(abstract, sizeof abstract, "@castled-notify-%d", (int)getpid());
    const char *names[] = { path, abstract };
    for (int i = 0; i < 2; i++) {
        Notify notify;
        int fd = listen_at(names[i]);
        assert_int_equal(setenv("NOTIFY_SOCKET", names[i], 1), 0);
        notify_init(&notify);
        assert_true(notify_is_wanted(&notify));
        assert_null(getenv("NOTIFY_SOCKET")); /* not for our children */
        assert_true(notify_send(&notify, "STATUS=%d games", 3));
        heard(fd, "STATUS=3 games");
        close(fd);
        assert_false(notify_send(&notify, "READY=1")); /* no receiver: nothing happens */
        notify_release(&notify);
    }
    unlink(path);
}

TEST(without_a_manager_nothing_is_sent)
{
    static const char *const names[] = { NULL, "", "/", "relative", "@" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Notify notify;
        unsetenv("NOTIFY_SOCKET");
        if (names[i])
            assert_int_equal(setenv("NOTIFY_SOCKET", names[i], 1), 0);
        assert_int_equal(setenv("WATCHDOG_USEC", "1000000", 1), 0);
        notify_init(&notify);
        assert_false(notify_is_wanted(&notify));
        assert_int_equal(notify.watchdog_ms, 0);
        assert_false(notify_send(&notify, "READY=1"));
        notify_release(&notify);
    }
    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[0] = '/';
    longest[sizeof longest - 1] = '\0';
    Notify notify;
    assert_int_equal(setenv("NOTIFY_SOCKET", longest, 1), 0);
    notify_init(&notify);
    assert_false(notify_is_wanted(&notify));
}

TEST(the_watchdog_is_ours_or_none)
{
    char ours[20];
    snprintf(ours, sizeof ours, "%d", (int)getpid());
    const struct {
        const char *usec, *pid;
        int64_t ms;
    } rows[] = {
        { "3000000", NULL, 3000 }, { "3000000", ours, 3000 }, { "3000000", "1", 0 },
        { NULL, NULL, 0 },         { "soon", NULL, 0 },       { "-5", NULL, 0 },
        { "3000000", "me", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Notify notify;
        assert_int_equal(setenv("NOTIFY_SOCKET", "@castled-watchdog", 1), 0);
        if (rows[i].usec)
            assert_int_equal(setenv("WATCHDOG_USEC", rows[i].usec, 1), 0);
        if (rows[i].pid)
            assert_int_equal(setenv("WATCHDOG_PID", rows[i].pid, 1), 0);
        notify_init(&notify);
        assert_int_equal(notify.watchdog_ms, rows[i].ms);
        assert_null(getenv("WATCHDOG_USEC"));
        assert_null(getenv("WATCHDOG_PID"));
        notify_release(&notify);
    }
}
