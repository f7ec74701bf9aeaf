/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/wake.h"

#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>

enum { CALLERS = 4, CALLS = 500, PATIENCE_MS = 20000 };

typedef struct {
    uv_loop_t loop;
    Wake wake;
    pthread_mutex_t lock;
    int said; /* under the lock */
    int heard, closed;
} Room;

static void on_wake(void *user)
{
    Room *room = user;
    pthread_mutex_lock(&room->lock);
    room->heard = room->said;
    pthread_mutex_unlock(&room->lock);
}

static void on_closed(void *user)
{
    ((Room *)user)->closed++;
}

static void set_up(Room *room)
{
    Error err = { 0 };
    memset(room, 0, sizeof *room);
    pthread_mutex_init(&room->lock, NULL);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    if (!wake_init(&room->wake, &room->loop, on_wake, room, &err))
        fail_msg("%s", err.text);
}

static void tear_down(Room *room)
{
    wake_close(&room->wake, on_closed);
    assert_int_equal(room->closed, 0);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(room->closed, 1);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    pthread_mutex_destroy(&room->lock);
}

static void *call(void *user)
{
    Room *room = user;
    for (int i = 0; i < CALLS; i++) {
        pthread_mutex_lock(&room->lock);
        room->said++;
        pthread_mutex_unlock(&room->lock);
        wake_send(&room->wake);
    }
    return NULL;
}

TEST(what_was_said_before_a_call_is_heard)
{
    Room room;
    pthread_t callers[CALLERS];
    set_up(&room);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call, &room), 0);
    int64_t end = clock_now_ms() + PATIENCE_MS;
    while (room.heard < CALLERS * CALLS && clock_now_ms() < end)
        uv_run(&room.loop, UV_RUN_ONCE);
    assert_int_equal(room.heard, CALLERS * CALLS);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    tear_down(&room);
}

TEST(a_call_before_the_loop_runs_is_not_lost)
{
    Room room;
    set_up(&room);
    call(&room);
    uv_run(&room.loop, UV_RUN_NOWAIT);
    assert_int_equal(room.heard, CALLS);
    tear_down(&room);
}

TEST(after_closing_nothing_comes)
{
    Room room;
    set_up(&room);
    call(&room);
    tear_down(&room);
    assert_int_equal(room.heard, 0);
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *files = opendir("/proc/self/fd");
    assert_non_null(files);
    while (readdir(files))
        count++;
    closedir(files);
    return count;
}

TEST(without_a_descriptor_it_says_so_and_none_is_lost)
{
    uv_loop_t loop;
    Wake wake;
    Error err = { 0 };
    struct rlimit usual, none;
    assert_int_equal(uv_loop_init(&loop), 0);
    int before = count_descriptors();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = usual;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool ok = wake_init(&wake, &loop, on_wake, NULL, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_false(ok);
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(uv_loop_close(&loop), 0);
}
